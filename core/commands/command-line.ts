import { BootError } from '../config/boot-error.js';
import { takesValue } from '../config/options/options.js';

/**
 * Tells a command's own words from the host's options.
 * @param flags the command's own options without a value
 * @param valued those with one
 */
export function separate(
  argv: readonly string[],
  flags: readonly string[],
  valued: readonly string[],
): { words: string[]; options: string[] } {
  const words: string[] = [];
  const options: string[] = [];
  const left = [...argv];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const [name = ''] = word.split('=');
    const isOwn = !word.startsWith('--') || flags.includes(word) || valued.includes(name);
    const target = isOwn ? words : options;
    target.push(word);
    const value = left[0];
    if (word !== name || value === undefined || !(valued.includes(word) || takesValue(word))) continue;
    target.push(value);
    left.shift();
  }
  return { words, options };
}

/** True for `--help` and `-h`. */
export function asksForHelp(argv: readonly string[]): boolean {
  return argv.includes('--help') || argv.includes('-h');
}

/** Explains a command to who asks for help (exit code 0) or says nothing at all (2). @returns true: that was it */
export function explained(argv: readonly string[], help: string): boolean {
  if (argv.length > 0 && !asksForHelp(argv)) return false;
  process.stdout.write(help);
  process.exitCode = argv.length === 0 ? 2 : 0;
  return true;
}

/** Takes `--name value` or `--name=value` out of the words. @throws BootError `options_invalid` without a value */
export function take(words: string[], name: string): string | undefined {
  const at = words.findIndex((word) => word === name || word.startsWith(`${name}=`));
  if (at < 0) return undefined;
  const [word = ''] = words.splice(at, 1);
  const isInline = word.includes('=');
  const value = isInline ? word.slice(word.indexOf('=') + 1) : words[at];
  if (value === undefined || value === '' || value.startsWith('--')) misused(`${name} needs a value`, 'keyhost --help');
  if (!isInline) words.splice(at, 1);
  return value;
}

/** Takes `--name` out of the words. */
export function takeFlag(words: string[], name: string): boolean {
  const at = words.indexOf(name);
  if (at >= 0) words.splice(at, 1);
  return at >= 0;
}

/** @throws BootError `options_invalid` */
export function misused(message: string, hint: string): never {
  throw new BootError('options_invalid', message, { hint });
}
