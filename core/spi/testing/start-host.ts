import type { JsonObject } from '../json-schema.js';
import type { Plugin } from '../plugin.js';
import type { PluginRight } from '../rights.js';
import type { Logger } from '../session.js';
import { type GrpcAnswer, type HostSetup, hostModule, type OpenHost, type SentMail } from './host-module.js';
import { RealmClient } from './realm-client.js';
import { TestClock } from './test-clock.js';
import { testRealm, withEnabled } from './test-realm.js';
import { TestServices } from './test-services.js';
import { memberOf } from './thrown.js';

/** The host is loaded together with the kit, so that the first host of a test starts as fast as the others. */
const [hostLoad] = await Promise.allSettled([hostModule()]);

/** The `t` of AVA, of node:test, or any other object with a hook for the end of a test. */
export type TestContext = { teardown(end: () => Promise<void>): void } | { after(end: () => Promise<void>): void };

/** A plugin with its settings of plugins.json and its package. */
export interface TestedPlugin {
  readonly plugin: Plugin;
  /** Host-wide configuration by `spi/id`. */
  readonly config?: Readonly<Record<string, JsonObject>>;
  /** `spi/id` of built-in providers that it replaces. */
  readonly replaces?: readonly string[];
  /**
   * Rights by realm, as in plugins.json; `*` means every realm except `master`. Default: all rights that the plugin
   * needs, in every realm.
   */
  readonly grants?: Readonly<Record<string, readonly PluginRight[]>>;
  /** The package's folder. Default: the working directory. */
  readonly directory?: string;
}

/** The options of `startHost`. */
export interface StartOptions {
  readonly plugins: readonly (Plugin | TestedPlugin)[];
  /** Realm files. Default: `testRealm('test')` with every provider of the plugins enabled. */
  readonly realms?: readonly JsonObject[];
  /** Default: a clock that does not move. */
  readonly clock?: TestClock;
  /** Additional arguments of `keyhost start-dev`, such as `--proto-dir`, `../proto`. */
  readonly argv?: readonly string[];
}

/** A line of the host's log. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: JsonObject;
}

/** A real host in this process, listening on free ports of 127.0.0.1; its store is in memory. */
export interface TestHost {
  /** The base URL. */
  readonly url: string;
  /** The clock of the host, which the test moves. */
  readonly clock: TestClock;
  /** The log up to now. */
  readonly log: readonly LogLine[];
  /**
   * Mails of plugins and of the host up to now, from realms without an `smtpServer`. Call `settled()` first to wait for
   * them.
   */
  readonly mails: readonly SentMail[];
  /** The list of plugins and providers that a start prints. */
  readonly bootTree: string;
  /** An HTTP client of a realm. Default: the first realm. */
  realm(name?: string): RealmClient;
  /**
   * Calls an rpc and receives all of its responses.
   * @param service the full name
   * @throws Error if no plugin has the service, or the service does not have the rpc
   */
  grpc(
    service: string,
    method: string,
    messages: object | Iterable<object> | AsyncIterable<object>,
    options?: GrpcOptions,
  ): Promise<GrpcAnswer>;
  /**
   * Resolves when the listeners have received every event, and the background work that is due by the clock has run.
   * Work that always returns `{ again: 0 }` prevents it from resolving.
   */
  settled(): Promise<void>;
  /** Ends the host before the test ends. */
  close(): Promise<void>;
}

/** The options of a gRPC call. */
export interface GrpcOptions {
  /** A bearer access token. */
  readonly token?: string;
  readonly metadata?: Readonly<Record<string, string | Uint8Array>>;
  /** Milliseconds. Default: 30 000. */
  readonly timeout?: number;
}

/**
 * Starts a host with these plugins; it is closed when the test ends.
 * @throws Error with the report of a failed start, and its `code`
 */
export async function startHost(t: TestContext, options: StartOptions): Promise<TestHost> {
  if (hostLoad.status === 'rejected') throw hostLoad.reason;
  const services = new TestServices();
  const tested = options.plugins.map((plugin) => ('plugin' in plugin ? plugin : { plugin }));
  const plugins = tested.map(({ plugin }) => plugin);
  const realms = options.realms ?? [withEnabled(testRealm('test'), plugins)];
  const clock = options.clock ?? new TestClock();
  const log: LogLine[] = [];
  const setup: HostSetup = {
    plugins: [...tested, { plugin: services.plugin }].map((entry, index) => withDefaults(entry, index)),
    realms: realms.map((realm) => services.enabledIn(realm)),
    clock,
    logger: createLogger(log),
    argv: options.argv ?? [],
  };
  const host = await hostLoad.value.openTestHost(setup).catch(throwReport);
  let closePromise: Promise<void> | undefined;
  const close = () => {
    closePromise ??= host.close();
    return closePromise;
  };
  // If the test itself closed the host, it has received the error already.
  const endHost = () => closePromise?.catch(() => {}) ?? close();
  if ('teardown' in t) t.teardown(endHost);
  else t.after(endHost);
  const clients = new Map(
    realms.map((realm) => [String(realm.realm), new RealmClient(realm, host.url, services, () => host.settle())]),
  );
  return {
    url: host.url,
    clock,
    log,
    mails: host.mails,
    bootTree: host.bootTree,
    realm(name = String(realms[0]?.realm)) {
      const client = clients.get(name);
      if (client === undefined)
        throw new Error(`realm ${name} not found: the realms are ${[...clients.keys()].join(', ')}`);
      return client;
    },
    grpc: (service, method, messages, given) => callGrpc(host, service, method, messages, given),
    settled: () => host.settleBackground(),
    close,
  };
}

function withDefaults(tested: TestedPlugin, index: number): HostSetup['plugins'][number] {
  const { plugin, config = {}, replaces = [], directory = process.cwd() } = tested;
  const needed = Object.keys(plugin?.needs ?? {}) as PluginRight[];
  const { grants = { '*': needed, master: needed } } = tested;
  const hasPackageName =
    typeof plugin?.name === 'string' && /^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/.test(plugin.name);
  return { module: hasPackageName ? plugin.name : `plugin-${index + 1}`, plugin, config, grants, replaces, directory };
}

function createLogger(log: LogLine[]): Logger {
  const write =
    (level: LogLine['level']) =>
    (message: string, fields: JsonObject = {}) =>
      void log.push({ level, message, fields });
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

async function callGrpc(
  host: OpenHost,
  service: string,
  method: string,
  messages: object | Iterable<object> | AsyncIterable<object>,
  { token, metadata = {}, timeout = 30_000 }: GrpcOptions = {},
): Promise<GrpcAnswer> {
  const isList = Symbol.iterator in messages || Symbol.asyncIterator in messages;
  return host.call({
    service,
    method,
    messages: isList ? messages : [messages],
    metadata: { ...metadata, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    deadline: Date.now() + timeout,
  });
}

function throwReport(error: unknown): never {
  const report = memberOf(error, 'report');
  if (typeof report !== 'function') throw error;
  throw Object.assign(new Error(String(report.call(error)), { cause: error }), { code: memberOf(error, 'code') });
}
