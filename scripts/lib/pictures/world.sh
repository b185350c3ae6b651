# Makes the loops of the pictures in a folder of their own. Sourced, never run.

# make_repository DIR
make_repository() {
    mkdir -p "$1/src" "$1/tests"
    printf '# shop\n\nA shop in shell, for the pictures.\n' >"$1/README.md"
    printf -- '- [x] carts\n- [ ] coupons\n- [ ] orders\n' >"$1/PLAN.md"
    for name in cart coupon order parse; do
        printf '# %s.sh\nprice_cents() { echo "$1"; }\n' "$name" >"$1/src/$name.sh"
    done
    printf 'echo "case 1: ok"\necho "case 2: ok"\n' >"$1/tests/run.sh"
    # Each helper makes one more case pass, so that the first claim is rejected and there is progress to see.
    printf '%s\n' 'passing=$((2 + $(grep -c parse_ src/parse.sh)))' 'echo 1..7' 'for n in 1 2 3 4 5 6 7; do' \
        '    [ "$n" -le "$passing" ] && echo "ok $n - case $n" || echo "not ok $n - case $n"' 'done' \
        '[ "$passing" -ge 7 ]' >"$1/tests/all.sh"
    git -C "$1" init --quiet --initial-branch=main
    git -C "$1" add --all
    git -C "$1" -c user.name=Tester -c user.email=tester@example.com commit --quiet --message=start
}

# make_place: a directory whose path reads well in a picture, and that nobody else has.
make_place() {
    mkdir -m 700 /tmp/acme 2>/dev/null && echo /tmp/acme || mktemp -d /tmp/acme.XXXXXX
}

# configure AGENT_SCRIPT
configure() {
    mkdir -p "$XDG_CONFIG_HOME/windlass"
    for part in coder critic fixer; do
        printf '[agents.%s]\ncommand = ["sh", "%s", "%s"]\nprompt = "stdin"\ndecoder = "claude"\n\n' "$part" "$1" "$part"
    done >"$XDG_CONFIG_HOME/windlass/config.toml"
}

# make_loops WINDLASS FOLDER: some that are over, each in a repository of its own, and one that runs.
make_loops() {
    for name in shop parser website invoices; do make_repository "$2/$name"; done
    printf '# one more\n' >>"$2/shop/src/cart.sh"
    (cd "$2/website" && "$1" iterate -p "Make the page load in under a second." --agent coder --check "false" \
        --max-iterations 3 --name quick-page -q) || :
    (cd "$2/invoices" && "$1" iterate -p "Make every case of tests/all.sh pass." --agent coder \
        --check "sh tests/all.sh" --max-iterations 6 --name calm-heron -q) || :
    (cd "$2/shop" && "$1" heal --loop --reviewer critic --fixer fixer --agent fixer --test "sh tests/run.sh" \
        --max-iterations 5 --name tidy-cart -q) || :
    prompt="Make every case of tests/all.sh pass.

Read PLAN.md first, and keep it up to date: tick what is done, and write down what you find on the way. Change
one thing at a time; run the tests after each change. Do not change the tests themselves.

When all cases pass, and only then, say so."
    (cd "$2/parser" && PICTURES_HOLD=4 exec "$1" iterate -p "$prompt" --agent coder --pass-env PICTURES_HOLD \
        --check "sh tests/all.sh" --max-iterations 10 --max-cost 5 --name brave-otter -q) &
}

# wait_for_running WINDLASS: until the loop that runs is in the iteration that it stays in.
wait_for_running() {
    tries=0
    until "$1" status brave-otter 2>/dev/null | grep -q "iteration 4 of"; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || fail "the loop of the pictures does not get there"
        sleep 0.2
    done
    sleep 2
}
