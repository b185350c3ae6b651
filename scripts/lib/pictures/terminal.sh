# Makes pictures of the terminal dashboard: an xterm on a screen that nobody sees, with tmux in it to press
# keys and to see what is drawn. Sourced, never run.

columns=120
rows=36
# What xterm makes of them with this font: a cell of 9 by 18, and a margin.
face="DejaVu Sans Mono:pixelsize=15"
margin=12
screen_size=$((columns * 9 + 2 * margin))x$((rows * 18 + 2 * margin))

# open_screen FOLDER: a screen of the size of one window; DISPLAY names it.
open_screen() {
    TMUX_TMPDIR=$1
    LC_ALL=C.UTF-8
    export TMUX_TMPDIR LC_ALL
    # The server chooses a number that is free, and tells it.
    Xvfb -displayfd 3 -screen 0 "${screen_size}x24" -dpi 96 -nolisten tcp 3>"$1/display" 2>/dev/null &
    screen=$!
    until [ -s "$1/display" ]; do
        kill -0 "$screen" 2>/dev/null || fail "Xvfb does not start"
        sleep 0.1
    done
    DISPLAY=:$(cat "$1/display")
    export DISPLAY
}

# pictures_of_the_terminal WINDLASS FOLDER dark|light
pictures_of_the_terminal() {
    case $3 in
    dark) back=#14171a front=#e6e6e3 ;;
    light) back=#fdfdfb front=#1c1e22 ;;
    esac
    picture_of_watch "$1" brave-otter 1 "7 cases, 1 failing" "$2/tui-running-$3.png"
    picture_of_watch "$1" brave-otter 2 "● runs" "$2/tui-iterations-$3.png"
    picture_of_watch "$1" tidy-cart 4 "The example does not run" "$2/tui-findings-$3.png"
}

# picture_of_watch WINDLASS LOOP PANE WORDS FILE: when the words are there. The colours are $back and $front.
picture_of_watch() {
    # What is faint is nearer to the background, on a light one too.
    env -u NO_COLOR xterm -fa "$face" -b "$margin" -bw 0 +sb -bg "$back" -fg "$front" \
        -xrm '*faintIsRelative: true' -geometry "${columns}x$rows+0+0" \
        -e tmux -L pictures -f /dev/null new-session -s watch "$1 watch $2" \; set-option status off &
    window=$!
    wait_for_words "$2"
    tmux -L pictures send-keys -t watch "$3"
    wait_for_words "$4"
    # A terminal draws a little later than the program that it runs.
    sleep 1
    # To scrot a low quality of a PNG is a small file: nothing is lost.
    scrot --overwrite --quality 1 "$5"
    tmux -L pictures send-keys -t watch q
    wait "$window" || :
}

# wait_for_words WORDS
wait_for_words() {
    tries=0
    until tmux -L pictures capture-pane -p -t watch 2>/dev/null | grep -q "$1"; do
        tries=$((tries + 1))
        [ "$tries" -lt 100 ] || fail "the terminal dashboard does not show “$1”"
        sleep 0.1
    done
}
