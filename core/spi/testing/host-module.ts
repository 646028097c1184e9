import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { JsonObject } from '../json-schema.js';
import type { Plugin } from '../plugin.js';
import type { Logger } from '../session.js';

/** The exports of `keyhost/test-host`: a host in this process, on free ports, with a store in memory. */
export interface HostModule {
  /** @throws Error with a `report()` for people, as a failed start prints it */
  openTestHost(setup: HostSetup): Promise<OpenHost>;
}

export interface HostSetup {
  readonly plugins: readonly {
    /** A name for messages. */
    readonly module: string;
    readonly plugin: Plugin;
    /** The package's folder, which may contain `proto/`. */
    readonly directory: string;
    /** As in plugins.json. */
    readonly config: Readonly<Record<string, JsonObject>>;
    readonly grants: Readonly<Record<string, readonly string[]>>;
    readonly replaces: readonly string[];
  }[];
  /** Realm files. */
  readonly realms: readonly JsonObject[];
  readonly clock: { now(): number };
  readonly logger: Logger;
  /** Additional arguments of the command line, such as `--http-relative-path`, `/auth`. */
  readonly argv: readonly string[];
}

export interface OpenHost {
  readonly url: string;
  /** Mails of realms without an `smtpServer` since the start, the oldest first. */
  readonly mails: readonly SentMail[];
  /** The boot tree that a start prints. */
  readonly bootTree: string;
  /** Resolves when the listeners have received every event. */
  settle(): Promise<void>;
  /** Resolves when the background work that is due has run, too. */
  settleBackground(): Promise<void>;
  /** @throws Error if the service or rpc does not exist */
  call(request: GrpcRequest): Promise<GrpcAnswer>;
  close(): Promise<void>;
}

/** A mail of a realm without an `smtpServer`, which is not sent. */
export interface SentMail {
  readonly realm: string;
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface GrpcRequest {
  /** The service's full name. */
  readonly service: string;
  readonly method: string;
  readonly messages: Iterable<object> | AsyncIterable<object>;
  readonly metadata: Readonly<Record<string, string | Uint8Array>>;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

export interface GrpcAnswer {
  /** `OK`, or the status code of the error. */
  readonly code: string;
  readonly details: string;
  /** All received messages, in the form that handlers use. */
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly trailers: Readonly<Record<string, readonly (string | Uint8Array)[]>>;
}

const NAME = 'keyhost/test-host';

/**
 * Loads the nearest Keyhost, which is not a dependency of the SPI. It is the package `keyhost` in the same
 * node_modules, as in the repository of a plugin, or the clone of Keyhost that contains this package.
 * @throws Error with advice about the package to install
 */
export async function hostModule(): Promise<HostModule> {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = dirname(folder)) {
    const file = findHost(folder);
    if (file !== undefined) return (await import(pathToFileURL(file).href)) as HostModule;
    if (dirname(folder) === folder) break;
  }
  throw new Error(
    `the test kit requires Keyhost: ${NAME} was not found in ${start} or its parent folders; run npm install --save-dev keyhost`,
  );
}

function findHost(folder: string): string | undefined {
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) return undefined;
  try {
    return createRequire(manifest).resolve(NAME);
  } catch {
    return undefined;
  }
}
