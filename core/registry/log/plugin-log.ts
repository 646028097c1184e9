import type { JsonObject, Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { maskSecrets } from '../../model/mask-secrets.js';
import { codeOf, messageOf } from '../../model/thrown.js';
import type { CallResult } from '../sessions/call-counts.js';
import type { CalledProvider } from '../sessions/provider-calls.js';

export type LineLevel = keyof Logger;

/** A log line that names a plugin. */
export interface PluginLine {
  /** Grows with each line of this process. */
  readonly number: number;
  /** ISO 8601; the time of the last one if equal lines follow each other. */
  readonly time: string;
  readonly level: LineLevel;
  readonly message: string;
  /** As JSON, without the plugin; absent if there are none. */
  readonly fields?: string;
  /** The number of equal consecutive lines that it represents. */
  readonly times: number;
}

const LEVELS: readonly LineLevel[] = ['debug', 'info', 'warn', 'error'];
/** Maximum number of lines for each plugin. */
const MAX_LINES = 200;
/** Maximum number of plugins, because plugins change with the host's files. The ones with the latest lines are kept. */
const MAX_PLUGINS = 100;
/** In characters, for a message and for its fields. */
const TEXT_LIMIT = 2000;

/**
 * The host's log, as plugins and their workers write to it. Every line is forwarded to the host's own log. The newest
 * lines of each plugin are also stored for display. A line belongs to a plugin if it has the field `plugin`.
 */
export class PluginLog implements Logger {
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #kept: readonly LineLevel[];
  readonly #lines = new Map<string, PluginLine[]>();
  #number = 0;

  /** @param parts.level the value of `--log-level`; lines below it are not stored either */
  constructor(parts: { log: Logger; clock: Clock; level: string }) {
    this.#log = parts.log;
    this.#clock = parts.clock;
    const lowest = parts.level === 'trace' ? 0 : LEVELS.indexOf(parts.level as LineLevel);
    this.#kept = lowest === -1 ? [] : LEVELS.slice(lowest);
  }

  readonly debug = (message: string, fields?: JsonObject) => this.#write('debug', message, fields);
  readonly info = (message: string, fields?: JsonObject) => this.#write('info', message, fields);
  readonly warn = (message: string, fields?: JsonObject) => this.#write('warn', message, fields);
  readonly error = (message: string, fields?: JsonObject) => this.#write('error', message, fields);

  /** Stores the error of a failed call: the caller logs it, but without the plugin's name. */
  readonly failed = ({ provider, method, realm }: CalledProvider, end: CallResult, error: unknown): void => {
    const { plugin, spi, id } = provider;
    if (plugin.builtin) return;
    const code = codeOf(error);
    const fields = { realm, provider: `${spi.id}/${id}`, method, end, ...(code === undefined ? {} : { code }) };
    this.#store(plugin.name, 'error', `a call failed: ${messageOf(error)}`, fields);
  };

  /**
   * Returns the newest lines of a plugin, the newest last. @param names the plugin's own name, and its name in
   * plugins.json
   */
  of(names: Iterable<string>): readonly PluginLine[] {
    const lines = [...new Set(names)].flatMap((name) => this.#lines.get(name) ?? []);
    return lines.sort((a, b) => a.number - b.number).slice(-MAX_LINES);
  }

  #write(level: LineLevel, message: string, fields?: JsonObject): void {
    this.#log[level](message, fields);
    const { plugin, ...rest } = fields ?? {};
    if (typeof plugin === 'string') this.#store(plugin, level, message, rest);
  }

  #store(plugin: string, level: LineLevel, message: string, fields: JsonObject): void {
    if (!this.#kept.includes(level)) return;
    const lines = this.#linesOf(plugin);
    const text = short(JSON.stringify(maskSecrets(fields)));
    const line = { level, message: short(String(maskSecrets(message))), ...(text === '{}' ? {} : { fields: text }) };
    const last = lines.at(-1);
    const isRepeated = last?.level === level && last.message === line.message && last.fields === line.fields;
    if (isRepeated) lines.pop();
    this.#number += 1;
    const time = new Date(this.#clock.now()).toISOString();
    lines.push({ number: this.#number, time, ...line, times: isRepeated ? last.times + 1 : 1 });
    if (lines.length > MAX_LINES) lines.shift();
  }

  #linesOf(plugin: string): PluginLine[] {
    const lines = this.#lines.get(plugin) ?? [];
    this.#lines.delete(plugin);
    this.#lines.set(plugin, lines);
    const [oldest] = this.#lines.keys();
    if (this.#lines.size > MAX_PLUGINS && oldest !== undefined) this.#lines.delete(oldest);
    return lines;
  }
}

function short(text: string): string {
  return text.length <= TEXT_LIMIT ? text : `${text.slice(0, TEXT_LIMIT)}…`;
}
