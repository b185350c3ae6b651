#!/bin/sh
# The agent of the pictures: speaks as Claude Code does, and plays a part that is written here. No model.
#
#   agent.sh coder|critic|fixer      the prompt is on standard input
set -eu
cat >/dev/null
part=$1
# How often this part was played in this work tree, kept beside it.
count_file=../.$(basename "$PWD").$part
count=$(($(cat "$count_file" 2>/dev/null || echo 0) + 1))
echo "$count" >"$count_file"

say() {
    printf '{"type":"assistant","message":{"content":[{"type":"text","text":"%s"}]}}\n' "$1"
    sleep "${PICTURES_PAUSE:-0.1}"
}

# tool NAME KEY VALUE ANSWER
tool() {
    printf '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"%s","input":{"%s":"%s"}}]}}\n' "$1" "$2" "$3"
    sleep "${PICTURES_PAUSE:-0.1}"
    printf '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"%s"}]}}\n' "$4"
}

# finish TEXT COST IN OUT
finish() {
    printf '{"type":"assistant","message":{"content":[{"type":"text","text":"%s"}]}}\n' "$1"
    printf '{"type":"result","subtype":"success","is_error":false,"result":"%s","total_cost_usd":%s,"usage":{"input_tokens":%s,"output_tokens":%s}}\n' "$@"
}

# finding SEVERITY FILE LINE TITLE DESCRIPTION SUGGESTION
finding() {
    printf '{\\"severity\\":\\"%s\\",\\"file\\":\\"%s\\",\\"line\\":%s,\\"title\\":\\"%s\\",\\"description\\":\\"%s\\",\\"suggestion\\":\\"%s\\"}' "$@"
}

review() {
    rounding=$(finding HIGH src/cart.sh 14 "Totals are rounded per line, not per cart" "Three items at 0.335 come to 1.02 and not to 1.01." "Sum in tenths of a cent and round once.")
    empty=$(finding HIGH src/cart.sh 31 "An empty cart is charged for shipping" "total_of adds shipping before it looks at the number of items." "Return 0 for an empty cart.")
    coupon=$(finding MEDIUM src/coupon.sh 9 "A coupon can be used twice" "The check and the mark are two steps." "Mark first, and undo it when the payment fails.")
    quote=$(finding MEDIUM src/order.sh 22 "The customer name is not quoted" "A name with a space splits into two arguments." "Quote it.")
    unit=$(finding LOW src/cart.sh 3 "The unit of price is not said" "Cents or euros?" "Name it price_cents.")
    typo=$(finding LOW README.md 12 "The example does not run" "The option is called --coupon." "Fix the example.")
    case $count in
    1) list="$rounding,$empty,$coupon,$quote,$unit,$typo" ;;
    2) list="$rounding,$coupon,$unit" ;;
    3) list="$coupon" ;;
    *) list= ;;
    esac
    say "I read the change against main, file by file."
    tool Read file_path src/cart.sh "38 lines"
    tool Grep pattern total_of "src/cart.sh:11, src/order.sh:22"
    words="Here is what I would change."
    [ -n "$list" ] || words="I have nothing left to object to."
    finish "$words\n\n\`\`\`json\n{\\\"findings\\\": [$list]}\n\`\`\`" 0.0$((9 - count)) 1$((9 - count))200 8$((9 - count))0
}

fix() {
    file=src/cart.sh
    case $((count % 3)) in 1) file=src/order.sh ;; 2) file=src/coupon.sh ;; esac
    say "I read the file before I change it."
    tool Read file_path "$file" "38 lines"
    tool Edit file_path "$file" "The file was changed."
    printf '# change %s: one sum, rounded once\ntotal_%s() { printf "%%s\\n" "$(($1 * $2))"; }\n' "$count" "$count" >>"$file"
    finish "Done: the finding no longer holds, and the tests of its neighbours still pass." 0.0$((count % 4 + 2)) 7${count}00 4${count}0
}

# left ALL: how many of them are not done yet.
left() {
    echo "$(($1 > count ? $1 - count : 0))"
}

code() {
    say "I look at the task list and take the first thing that is open."
    tool Read file_path PLAN.md "12 lines"
    tool Bash command "sh tests/all.sh" "7 cases, $(left 6) failing"
    say "The parser drops the last line of a file that does not end in a newline. I write a test for it, and then fix it."
    tool Edit file_path src/parse.sh "The file was changed."
    printf 'parse_%s() { while IFS= read -r line || [ -n "$line" ]; do printf "%%s\\n" "$line"; done; }\n' "$count" >>src/parse.sh
    # Fewer lines each time, so that there is a trend to see.
    seq -f "# case %g: a last line without a newline" "$((8 - 2 * count))" >>src/parse.sh
    tool Bash command "sh tests/all.sh" "7 cases, $(left 5) failing"
    case $count in
    1 | 3) finish "One more case passes. What is left is written down in PLAN.md." 0.1$count 2${count}400 1${count}00 ;;
    "${PICTURES_HOLD:-none}") sleep 600 ;;
    *) finish "All cases pass.\n\n<promise>COMPLETE</promise>" 0.1$count 2${count}400 1${count}00 ;;
    esac
}

case $part in
critic) review ;;
fixer) fix ;;
coder) code ;;
esac
