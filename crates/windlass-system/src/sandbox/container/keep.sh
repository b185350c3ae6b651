# The first process of a container: ends it when whoever made it is gone, and tidies up after
# sessions. Reads `NUMBER WHAT MARK` a line; answers `NUMBER KILLED-FOR-MEMORY`.
dir=/run/windlass
while read -r number what mark; do
    case $what in
    all)
        kill -9 -1 2>/dev/null
        rm -rf "$dir"/* 2>/dev/null
        ;;
    one)
        for process in /proc/[0-9]*; do
            if tr '\0' '\n' <"$process/environ" 2>/dev/null | grep -qxF "WINDLASS_MARK=$mark"; then
                kill -9 "${process#/proc/}"
            fi
        done 2>/dev/null
        rm -rf "${dir:?}/$mark" 2>/dev/null
        ;;
    esac
    # Waiting for one child reaps those that have become orphans too.
    (:)
    killed=0
    for file in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
        if [ -r "$file" ]; then
            while read -r key value; do
                if [ "$key" = oom_kill ]; then killed=$value; fi
            done <"$file"
        fi
    done
    echo "$number $killed"
done
