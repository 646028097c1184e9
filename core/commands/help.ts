import { environmentVariable, OPTIONS, type OptionDefinition } from '../config/options/option-table.js';
import type { Command, CommandGroup } from './command.js';

const WIDTH = 100;
/** The column at which descriptions of options begin. */
const OPTION_COLUMN = 38;

/** The help of one command. @param name such as `realm plan` */
export function commandHelp(name: string, command: Command): string {
  const { summary, usage, details, examples, options = [], serverOptions = [], notes } = command;
  const shownServerOptions = OPTIONS.filter(({ flag }) => serverOptions.includes(flag));
  const rows = [
    ...options.map((option) => optionRow(option)),
    ...shownServerOptions.map((option) =>
      optionRow(option, option.environmentOnly ? '' : ` [${environmentVariable(option.flag)}]`),
    ),
  ];
  return sections(
    `Usage: keyhost ${name}${usage === '' ? '' : ` ${usage}`}${usage.includes('[options]') || rows.length === 0 ? '' : ' [options]'}`,
    `${summary}.`,
    details,
    `Examples:\n${examples.map((example) => `  keyhost ${example}`).join('\n')}`,
    rows.length === 0 ? undefined : `Options:\n${rows.join('\n')}`,
    notes,
  );
}

/** The help of a group, with its list of commands. @param name such as `realm`; empty for the group of all commands */
export async function groupHelp(name: string, { summary, commands }: CommandGroup): Promise<string> {
  const width = Math.max(...Object.keys(commands).map((command) => command.length)) + 2;
  const rows = Object.entries(commands).map(async ([command, load]) => {
    return `  ${command.padEnd(width)}${(await load()).summary}`;
  });
  const keyhost = name === '' ? 'keyhost' : `keyhost ${name}`;
  return sections(
    `Usage: ${keyhost} COMMAND [options]`,
    `${summary}.`,
    `Commands:\n${(await Promise.all(rows)).join('\n')}`,
    `${keyhost} COMMAND --help explains a command.${name === '' ? ' keyhost --version prints the version.' : ''}`,
  );
}

function sections(...texts: readonly (string | undefined)[]): string {
  return `${texts.filter((text) => text !== undefined).join('\n\n')}\n`;
}

function optionRow({ flag, value, default: defaultValue, help, environmentOnly }: OptionDefinition, env = ''): string {
  const leftColumn = environmentOnly
    ? `  ${environmentVariable(flag)}`
    : `  --${flag}${value === undefined ? '' : ` ${value}`}`;
  const rightColumn = wrapText(
    `${help}${defaultValue === undefined ? '' : `; default: ${defaultValue}`}${env}`,
    WIDTH - OPTION_COLUMN,
  );
  const isShort = leftColumn.length < OPTION_COLUMN - 1;
  const lines = isShort ? rightColumn : ['', ...rightColumn];
  return lines
    .map((line, index) => ((index === 0 ? leftColumn : '').padEnd(OPTION_COLUMN) + line).trimEnd())
    .join('\n');
}

/** Wraps a text at a width. A word that is longer gets its own line. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
