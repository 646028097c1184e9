import { createHash } from 'node:crypto';
import { missingProfiles } from '../client-policies/mistakes.js';
import { type RealmFile, readRealmFile } from '../config/realm-file/realm-files.js';
import type { RealmFileGroup } from '../config/realm-file/realm-folder.js';
import { UNBUILT_LOCKS } from '../config/realm-file/unbuilt-locks.js';
import type { RealmRepresentation } from '../model/representation.js';
import { realmFileMistakes } from '../realms/realm-file-checks.js';
import type { KnownProvider } from '../registry/loading/known-providers.js';
import { openMistakes, openProviders } from './production-realm.js';

/** What realm files are checked with: the same at start, at run time and on the command line. */
export interface FileChecks {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly providers: readonly KnownProvider[];
  /** True when a plugin that is not required was left out. */
  readonly someLeftOut: boolean;
  /** The checks of `keyhost start`, with the providers that may be open there; undefined: those of start-dev. */
  readonly production: { readonly allowOpenProviders: readonly string[] } | undefined;
}

export interface CheckedFile extends RealmFile {
  /** `spi/id` of providers that the realm leaves open to everybody. */
  readonly openProviders: readonly string[];
}

/**
 * @param hints true: with the places where the file is read as something else
 * @throws BootError `realm_invalid` with every problem at its `file:line:column`, `production_unsafe`
 */
export async function readCheckedFile(
  group: RealmFileGroup,
  checks: FileChecks,
  { hints = false }: { readonly hints?: boolean } = {},
): Promise<CheckedFile> {
  const { env, providers, someLeftOut, production } = checks;
  const unsafe = (realm: RealmRepresentation) => openMistakes(realm, providers, production?.allowOpenProviders ?? []);
  const inspect = (realm: RealmRepresentation) => [...realmFileMistakes(realm), ...missingProfiles(realm)];
  const file = await readRealmFile(group, {
    ...{ env, providers, someLeftOut, inspect, hints },
    ...(production === undefined ? {} : { unsafe }),
  });
  return { ...file, openProviders: openProviders(file.representation, providers) };
}

/** SHA-256 of what the verdict on an unchanged file may depend on: another Keyhost, other plugins, another mode. */
export function checksFingerprint({ providers, someLeftOut, production }: FileChecks, version: string): string {
  const known = providers.map(({ config, ...provider }) => ({
    ...provider,
    authentication: (config as { authentication?: unknown } | undefined)?.authentication,
  }));
  return createHash('sha256')
    .update(JSON.stringify([version, known, someLeftOut, production?.allowOpenProviders ?? null, UNBUILT_LOCKS]))
    .digest('base64url');
}
