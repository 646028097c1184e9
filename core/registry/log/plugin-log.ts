import type { JsonObject, Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { maskSecrets } from '../../model/mask-secrets.js';
import { codeOf, messageOf } from '../../model/thrown.js';
import type { CallResult } from '../sessions/call-counts.js';
import type { CalledProvider } from '../sessions/provider-calls.js';

export type LineLevel = keyof Logger;

/** A log line that belongs to a plugin. */
export interface PluginLine {
  /** Increases with each line of this process. */
  readonly number: number;
  /** ISO 8601. If equal lines follow each other, it is the time of the last one. */
  readonly time: string;
  readonly level: LineLevel;
  readonly message: string;
  /** The fields as JSON, without the plugin; absent if there are none. */
  readonly fields?: string;
  /** How many equal lines in a row this one represents. */
  readonly times: number;
}

const LEVELS: readonly LineLevel[] = ['debug', 'info', 'warn', 'error'];
/** Maximum number of stored lines for each plugin. */
const MAX_LINES = 200;
/**
 * Maximum number of plugins, because plugins come and go with the host's files. The ones with the newest lines are
 * stored.
 */
const MAX_PLUGINS = 100;
/** Maximum length of a message, and of its fields as JSON, in characters. */
const MAX_TEXT_LENGTH = 2000;

/**
 * The log for plugins and their workers. It forwards every line to the host's own log, and stores the newest lines of
 * each plugin for display. A line belongs to a plugin if it has the field `plugin`.
 */
export class PluginLog implements Logger {
  readonly #parts: { log: Logger; clock: Clock; level: string };
  readonly #storedLevels: readonly LineLevel[];
  readonly #lines = new Map<string, PluginLine[]>();
  #number = 0;

  /** @param parts.level the value of `--log-level`; lines below it are not stored either */
  constructor(parts: { log: Logger; clock: Clock; level: string }) {
    this.#parts = parts;
    const lowest = parts.level === 'trace' ? 0 : LEVELS.indexOf(parts.level as LineLevel);
    this.#storedLevels = lowest === -1 ? [] : LEVELS.slice(lowest);
  }

  readonly debug = (message: string, fields?: JsonObject) => this.#write('debug', message, fields);
  readonly info = (message: string, fields?: JsonObject) => this.#write('info', message, fields);
  readonly warn = (message: string, fields?: JsonObject) => this.#write('warn', message, fields);
  readonly error = (message: string, fields?: JsonObject) => this.#write('error', message, fields);

  /** Stores the error of a failed call. The caller logs the error too, but without the plugin's name. */
  readonly storeFailure = ({ provider, method, realm }: CalledProvider, result: CallResult, error: unknown): void => {
    const { plugin, spi, id } = provider;
    if (plugin.builtin) return;
    const code = codeOf(error);
    const fields = { realm, provider: `${spi.id}/${id}`, method, end: result, ...(code === undefined ? {} : { code }) };
    this.#store(plugin.name, 'error', `a call failed: ${messageOf(error)}`, fields);
  };

  /**
   * Returns the newest lines of a plugin, the newest last.
   * @param names the plugin's own name, and its name in plugins.json
   */
  linesOf(names: Iterable<string>): readonly PluginLine[] {
    const lines = [...new Set(names)].flatMap((name) => this.#lines.get(name) ?? []);
    return lines.sort((a, b) => a.number - b.number).slice(-MAX_LINES);
  }

  #write(level: LineLevel, message: string, fields?: JsonObject): void {
    this.#parts.log[level](message, fields);
    const { plugin, ...rest } = fields ?? {};
    if (typeof plugin === 'string') this.#store(plugin, level, message, rest);
  }

  #store(plugin: string, level: LineLevel, message: string, fields: JsonObject): void {
    if (!this.#storedLevels.includes(level)) return;
    const lines = this.#touchLinesOf(plugin);
    const text = shorten(JSON.stringify(maskSecrets(fields)));
    const line = { level, message: shorten(String(maskSecrets(message))), ...(text === '{}' ? {} : { fields: text }) };
    const last = lines.at(-1);
    const isRepeated = last?.level === level && last.message === line.message && last.fields === line.fields;
    if (isRepeated) lines.pop();
    this.#number += 1;
    const time = new Date(this.#parts.clock.now()).toISOString();
    lines.push({ number: this.#number, time, ...line, times: isRepeated ? last.times + 1 : 1 });
    if (lines.length > MAX_LINES) lines.shift();
  }

  #touchLinesOf(plugin: string): PluginLine[] {
    const lines = this.#lines.get(plugin) ?? [];
    this.#lines.delete(plugin);
    this.#lines.set(plugin, lines);
    const [oldest] = this.#lines.keys();
    if (this.#lines.size > MAX_PLUGINS && oldest !== undefined) this.#lines.delete(oldest);
    return lines;
  }
}

function shorten(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`;
}
