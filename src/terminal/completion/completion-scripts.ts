/** The completion script of each shell. All logic is in `dure __complete`, so a script never becomes outdated. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export const scriptFor = (shell: Shell, bin: string): string => SCRIPTS[shell](bin);

const SCRIPTS: Record<Shell, (bin: string) => string> = {
  bash: bin => `_${bin}() {
  local line cur="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files) compopt -o filenames 2>/dev/null; mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur") ;;
      ?*) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(${bin} __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _${bin} ${bin}
`,
  zsh: bin => `#compdef ${bin}
_${bin}() {
  local line
  local -a items
  for line in "\${(@f)$(${bin} __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case "$line" in
      :files) _files ;;
      *$'\\t'*) items+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
      ?*) items+=("\${line//:/\\\\:}") ;;
    esac
  done
  (( \${#items} )) && _describe -V '${bin}' items
}
compdef _${bin} ${bin}
`,
  fish: bin => `function __${bin}_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (${bin} __complete -- $words[2..-1] 2>/dev/null)
  for line in $found
    if test "$line" = ":files"
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c ${bin} -f -k -a '(__${bin}_complete)'
`,
};
