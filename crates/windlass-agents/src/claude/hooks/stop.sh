IFS= read -r input
case $input in
*'"stop_hook_active":true'*) exit 0 ;;
*'---END_LOOP_STATUS---\n```'*) ;;
*'"last_assistant_message":"'*'---LOOP_STATUS---\n'*STATUS:*'---END_LOOP_STATUS---'*) exit 0 ;;
*'"last_assistant_message":"'*'---LOOP_STATUS---\n'*EXIT_SIGNAL:*'---END_LOOP_STATUS---'*) exit 0 ;;
*'"last_assistant_message":"'*) ;;
*) exit 0 ;;
esac
printf '%s\n' {answer}
