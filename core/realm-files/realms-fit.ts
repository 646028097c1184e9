import { readFile } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { Logger } from '@keyhost/spi';
import { BootError } from '../config/boot-error.js';
import { formatPath, type JsonDocument, type JsonPath, readJsonDocument } from '../config/json/json-document.js';
import type { HostOptions } from '../config/options/options.js';
import { byPosition, type Problem } from '../config/problem.js';
import { checkAbsentConfigs, checkProviderConfig } from '../config/realm-file/provider-checks.js';
import { findRealm } from '../config/realm-file/realm-documents.js';
import { defined } from '../model/defined.js';
import { unprovenLogins } from '../realms/flows/unproven-logins.js';
import { planRealm, type StoredRealm } from '../realms/plan-realm.js';
import { textOf } from '../realms/realm-invalid.js';
import type { Realms } from '../realms/realms.js';
import type { Generation } from '../registry/generations/generation.js';
import { openedProviders } from '../registry/loading/known-providers.js';
import type { RegisteredProvider } from '../registry/loading/registered-provider.js';
import type { Preparation } from '../registry/updates/plugin-swap.js';
import type { RealmRecord, Store } from '../store/store.js';
import { openProviders, productionProblems } from './production-realm.js';
import type { PreparedFile, RealmFiles } from './realm-files.js';
import { RefusingRealms } from './refusing-realms.js';

export interface RealmsFitParts {
  readonly options: HostOptions;
  readonly store: Store;
  readonly realms: Realms;
  readonly logger: Logger;
  readonly files: () => Pick<RealmFiles, 'prepare' | 'applyPrepared'>;
  /**
   * False if realm files must not be applied together with plugins: other nodes still run the older plugins for a
   * while.
   */
  readonly mayApplyFiles: () => boolean;
  /** Tries a refused update again, once the realms that refused it fit. */
  readonly retry: () => void;
}

/** A provider that the next generation adds, removes or changes. */
interface ChangedProvider {
  readonly spi: string;
  readonly id: string;
  /** Undefined if it is removed. */
  readonly next: RegisteredProvider | undefined;
}

/** The reasons why a realm does not fit the next generation. */
interface Misfit {
  readonly problems: readonly Problem[];
  /** Providers that would newly serve without authentication. */
  readonly open: readonly string[];
  /** The problems with those of them that the operator has not allowed in production. */
  readonly unsafe: readonly Problem[];
}

/** The next generation, and the data to compare with it. */
interface Comparison {
  readonly options: HostOptions;
  readonly changedProviders: readonly ChangedProvider[];
  readonly before: Generation;
  readonly next: Generation;
}

/** A problem at a path within a realm. */
interface RealmProblem {
  readonly path: JsonPath;
  readonly message: string;
  readonly suggestion?: string | undefined;
}

/**
 * Checks the live realms against the providers that change:
 * - Their configuration must fit the new schemas.
 * - They must not name a removed provider.
 * - No provider may newly serve without authentication unless the operator allows it.
 * - Flows must still authenticate users.
 *
 * If a live realm does not fit, its current file may: then the file is applied together with the plugins. One realm
 * that does not fit prevents the update, since a restart would fail as well.
 * @returns a preparation that throws BootError `realm_invalid` with every position, or `production_unsafe`
 */
export function checkRealmsFit(parts: RealmsFitParts): Preparation {
  const { options, store, realms, logger, files, mayApplyFiles, retry } = parts;
  const awaited = new RefusingRealms({ realms, retry });
  return async (next, before) => {
    awaited.stopWaiting();
    const changed = changesOf(before, next);
    if (changed.length === 0) return () => {};
    const comparison = { options, changedProviders: changed, before, next };
    const misfits = new Map<string, Misfit>();
    const preparedFileOf = mayApplyFiles() ? files().prepare(openedProviders(next)) : () => undefined;
    const filesToApply = new Set<PreparedFile>();
    const remainingNames = new Set(realms.names());
    const stop = realms.onChanged((name) => remainingNames.add(name));
    try {
      for (const name of remainingNames) {
        remainingNames.delete(name);
        // Serve requests between the checks of thousands of realms.
        await turn();
        const record = await store.realms.get(name);
        if (record === undefined) continue;
        const misfit = await misfitOf(record, comparison);
        const file = misfit.problems.length === 0 ? undefined : await preparedFileOf(name);
        if (file === undefined) misfits.set(name, misfit);
        else {
          const withFile = await misfitOfFile(file, await store.realms.withDeclaration(name), misfit, comparison);
          misfits.set(name, withFile);
          if (withFile.problems.length === 0) filesToApply.add(file);
        }
      }
    } finally {
      stop();
    }
    const refusing = [...misfits].filter(([, misfit]) => isMisfit(misfit)).map(([name]) => name);
    awaited.waitFor(refusing, async (name) => {
      const record = await store.realms.get(name);
      return record !== undefined && isMisfit(await misfitOf(record, comparison));
    });
    requireFit([...misfits.values()], mayApplyFiles());
    const show = filesToApply.size === 0 ? undefined : await files().applyPrepared(filesToApply);
    return () => {
      show?.();
      for (const [name, { open }] of misfits) {
        for (const provider of open) logger.warn(`realm ${name}: ${provider} answers without authentication`);
      }
    };
  };
}

function changesOf(before: Generation, next: Generation): ChangedProvider[] {
  const changed = new Map<string, ChangedProvider>();
  for (const { spi, id } of [...before.list(), ...next.list()]) {
    const now = next.find(spi, id);
    if (before.find(spi, id) !== now) changed.set(`${spi.id}/${id}`, { spi: spi.id, id, next: now });
  }
  return [...changed.values()];
}

/** The misfit that remains once the realm's file is applied. @param misfit that of the live realm */
async function misfitOfFile(
  { read }: PreparedFile,
  stored: StoredRealm | undefined,
  misfit: Misfit,
  comparison: Comparison,
): Promise<Misfit> {
  if (stored === undefined) return misfit;
  const { name } = stored;
  const problems = read.refused.flatMap(({ realm, error }) =>
    realm === name || realm === undefined ? error.problems : [],
  );
  if (problems.length > 0) return { ...misfit, problems };
  const file = read.accepted.find(({ representation }) => representation.realm === name);
  if (file === undefined) return misfit;
  const { representation } = planRealm(file, stored);
  return misfitOf({ ...stored, representation }, comparison);
}

async function misfitOf(
  { name, representation, source }: RealmRecord,
  { options, changedProviders: changes, before, next }: Comparison,
): Promise<Misfit> {
  const told: RealmProblem[] = [];
  for (const { spi, id, next: provider } of changes) {
    const setting = representation.providers?.[spi]?.[id];
    if (setting === undefined) continue;
    const path = ['providers', spi, id];
    if (provider === undefined) told.push({ path, message: `${spi} "${id}" not found` });
    else {
      checkProviderConfig(provider, setting, path, (at, message, suggestion) => {
        told.push({ path: at, message, suggestion });
      });
    }
  }
  const providersBefore = openedProviders(before);
  const providers = openedProviders(next);
  const absentBefore = new Set(absentConfigs(representation, providersBefore).map(textOf));
  told.push(...absentConfigs(representation, providers).filter((problem) => !absentBefore.has(textOf(problem))));
  const unprovenBefore = new Set(unprovenLogins(representation, providersBefore).map(textOf));
  told.push(...unprovenLogins(representation, providers).filter((problem) => !unprovenBefore.has(textOf(problem))));
  const openBefore = openProviders(representation, providersBefore);
  const open = openProviders(representation, providers).filter((provider) => !openBefore.includes(provider));
  const unsafe = open.length === 0 ? [] : productionProblems(representation, providers, options);
  const file = source?.files[0]?.path;
  const document = told.length + unsafe.length > 0 && file !== undefined ? await documentOf(file, name) : undefined;
  const placed = ({ path, message, suggestion }: RealmProblem): Problem =>
    document?.problem(path, message, suggestion) ?? {
      file: `realm ${name}`,
      line: 0,
      column: 0,
      path: formatPath(path),
      message,
      ...defined({ suggestion }),
    };
  return { problems: told.map(placed), open, unsafe: unsafe.map(placed) };
}

async function documentOf(file: string, realm: string): Promise<JsonDocument | undefined> {
  const bytes = await readFile(file).catch(() => undefined);
  const read = bytes && readJsonDocument(file, bytes);
  if (read === undefined || !('document' in read)) return undefined;
  // The name of a file's only realm may be a reference.
  return Array.isArray(read.document.value) ? findRealm(read.document, realm) : read.document;
}

const isMisfit = ({ problems, unsafe }: Misfit) => problems.length + unsafe.length > 0;

function requireFit(misfits: readonly Misfit[], mayApplyFiles: boolean): void {
  const problems = misfits.flatMap((one) => one.problems).sort(byPosition);
  if (problems.length > 0) {
    throw new BootError('realm_invalid', 'the realms do not match the plugins', {
      problems,
      hint: `remove the settings of a plugin before you remove the plugin, and enable a plugin after you install it; ${
        mayApplyFiles
          ? 'for settings that only the new version has, change the realm file and reload again: both take effect together'
          : 'with several nodes, install a version to which new settings are optional, set them, and then one that requires them'
      }`,
    });
  }
  const unsafe = misfits.flatMap((one) => one.unsafe);
  if (unsafe.length === 0) return;
  throw new BootError('production_unsafe', 'a plugin would answer without authentication', {
    problems: unsafe,
    hint: 'start with the provider in --allow-open-providers to allow it',
  });
}

function absentConfigs(
  realm: RealmRecord['representation'],
  providers: Parameters<typeof checkAbsentConfigs>[1],
): RealmProblem[] {
  const told: RealmProblem[] = [];
  checkAbsentConfigs(
    realm,
    providers,
    (path, message, suggestion) => void told.push(defined({ path, message, suggestion })),
  );
  return told;
}
