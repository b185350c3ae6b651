# Sends a signal to every process of a session: `signal.sh NAME MARK`.
for process in /proc/[0-9]*; do
    if tr '\0' '\n' <"$process/environ" 2>/dev/null | grep -qxF "WINDLASS_MARK=$2"; then
        kill -s "$1" "${process#/proc/}"
    fi
done 2>/dev/null
