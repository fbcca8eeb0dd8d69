import type { Command } from "commander";
import { Argument } from "commander";
import type { CliFactory } from "../connect.ts";
import { print } from "../print.ts";

const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
type Shell = (typeof SHELLS)[number];

/** Words after which others follow: the path of a command, and what may come next. */
interface Place {
  readonly path: string;
  readonly words: readonly string[];
}

/** `cairn completion SHELL`: a script of all commands and flags, made from the program itself. */
export function addCompletion(program: Command, _cli: CliFactory): void {
  program
    .command("completion")
    .description("a script by which the shell completes commands and flags")
    .addArgument(new Argument("<shell>").choices([...SHELLS]))
    .addHelpText("after", "\nExample:\n  cairn completion bash >> ~/.bashrc")
    .action((shell: Shell) => print(SCRIPTS[shell](placesOf(program))));
}

function placesOf(command: Command, path: readonly string[] = []): Place[] {
  const names = command.commands.map((one) => one.name());
  const flags = command.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []));
  return [
    { path: path.join(" "), words: [...names, ...flags, "--help"] },
    ...command.commands.flatMap((one) => placesOf(one, [...path, one.name()])),
  ];
}

const cases = (places: readonly Place[], line: (place: Place) => string): string => places.map(line).join("\n");

const SCRIPTS: Readonly<Record<Shell, (places: readonly Place[]) => string>> = {
  bash: (places) => `_cairn() {
  local path="" word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    [[ "$word" == -* ]] && continue
    path="\${path:+$path }$word"
  done
  case "$path" in
${cases(places, ({ path, words }) => `    "${path}") COMPREPLY=($(compgen -W "${words.join(" ")}" -- "\${COMP_WORDS[COMP_CWORD]}")) ;;`)}
  esac
}
complete -o default -F _cairn cairn`,
  zsh: (places) => `#compdef cairn
_cairn() {
  local -a given
  given=(\${(@)words[2,CURRENT-1]:#-*})
  case "$given" in
${cases(places, ({ path, words }) => `    "${path}") compadd -- ${words.join(" ")} ;;`)}
    *) _files ;;
  esac
}
compdef _cairn cairn`,
  fish: (places) =>
    `function __cairn_path
  set -l words (commandline -opc)
  string join " " (string match -v -- "-*" $words[2..-1])
end
${cases(places, ({ path, words }) => `complete -c cairn -n 'test "(__cairn_path)" = "${path}"' -a "${words.join(" ")}"`)}`.replaceAll(
      `"(__cairn_path)"`,
      `"$(__cairn_path)"`,
    ),
  powershell: (places) => `Register-ArgumentCompleter -Native -CommandName cairn -ScriptBlock {
  param($word, $ast, $cursor)
  $given = $ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" } | Where-Object { $_ -notlike "-*" -and $_ -ne $word }
  $places = @{
${cases(places, ({ path, words }) => `    "${path}" = "${words.join(" ")}"`)}
  }
  "$($places[($given -join " ")])".Split(" ") | Where-Object { $_ -like "$word*" }
}`,
};
