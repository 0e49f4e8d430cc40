# Runs PROGRAM to write its manual and its completions into OUTPUT.
function(say file)
    execute_process(COMMAND ${EMULATOR} ${PROGRAM} help ${ARGN} OUTPUT_FILE ${OUTPUT}/${file}
                    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(MAKE_DIRECTORY ${OUTPUT}/man1 ${OUTPUT}/bash ${OUTPUT}/fish ${OUTPUT}/zsh)
say(man1/hone.1 --man)
file(STRINGS ${OUTPUT}/man1/hone.1 lines REGEX "^.fBhone.-[a-z]+.fR.1.$")
foreach(line ${lines})
    string(REGEX REPLACE ".*-([a-z]+).*" "\\1" command "${line}")
    say(man1/hone-${command}.1 --man ${command})
endforeach()
say(bash/hone --completion bash)
say(fish/hone.fish --completion fish)
say(zsh/_hone --completion zsh)
file(TOUCH ${OUTPUT}/done)
