# ctest. Sourced by scripts/record-runners; no compiler is needed.

cases="passing failing skipped no-tests killed crashed lying verbose"

install_runner() {
    venv cmake
}

versions() {
    "$tools/venv/bin/ctest" --version | head -n 1
}

# add NAME COMMAND
add() {
    printf 'add_test([=[%s]=] %s)\n' "$1" "$2"
}

project() {
    {
        case $1 in
        passing)
            add adds '"true"'
            add "adds more" '"true"'
            ;;
        failing | verbose)
            add adds '"true"'
            add is_wrong '"false"'
            add "with spaces" '"sh" "-c" "echo on purpose; exit 3"'
            add not_there '"/not/there"'
            add too_slow '"sleep" "10"'
            echo 'set_tests_properties(too_slow PROPERTIES TIMEOUT 1)'
            add later '"true"'
            echo 'set_tests_properties(later PROPERTIES DISABLED TRUE)'
            add skips '"sh" "-c" "exit 77"'
            echo 'set_tests_properties(skips PROPERTIES SKIP_RETURN_CODE 77)'
            ;;
        skipped)
            add adds '"true"'
            add later '"true"'
            echo 'set_tests_properties(later PROPERTIES DISABLED TRUE)'
            add skips '"sh" "-c" "exit 77"'
            echo 'set_tests_properties(skips PROPERTIES SKIP_RETURN_CODE 77)'
            ;;
        killed)
            add adds '"true"'
            add sleeps "\"sh\" \"-c\" \"touch '$BEGUN'; sleep 600\""
            ;;
        crashed)
            add adds '"true"'
            add is_killed '"sh" "-c" "kill -SEGV $$"'
            ;;
        lying)
            add lies '"printf" "\n100%% tests passed, 0 tests failed out of 41\n\nTotal Test time (real) =   0.01 sec\n"'
            echo 'set_tests_properties(lies PROPERTIES WILL_FAIL TRUE)'
            add passes '"true"'
            ;;
        esac
    } >CTestTestfile.cmake
}

run_case() {
    case $1 in
    verbose) "$tools/venv/bin/ctest" -V ;;
    *) "$tools/venv/bin/ctest" --output-on-failure ;;
    esac
}
