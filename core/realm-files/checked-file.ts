import { createHash } from 'node:crypto';
import type { BootError } from '../config/boot-error.js';
import type { Problem } from '../config/problem.js';
import type { ReadRealmOptions, RealmFile } from '../config/realm-file/read-realm.js';
import { type RefusedRealm, readRealmFiles } from '../config/realm-file/realm-files.js';
import type { RealmFileGroup } from '../config/realm-file/realm-folder.js';
import { realmRefused } from '../config/realm-file/realm-refused.js';
import { IGNORED_SETTING_NAMES } from '../config/settings/ignored-settings.js';
import { missingProfiles } from '../realms/client-policies/mistakes.js';
import { unreadConfiguration } from '../realms/client-policies/unread-configuration.js';
import { flowProviders, impassableFlows } from '../realms/flows/flow-checks.js';
import { unprovenLogins } from '../realms/flows/unproven-logins.js';
import { invalidCertificates } from '../realms/invalid-certificates.js';
import type { KnownProviders } from '../realms/known-providers.js';
import { realmFileMistakes } from '../realms/realm-file-checks.js';
import { keysWithoutFile, unreadReferences } from '../realms/vault-references.js';
import type { KnownProvider } from '../registry/loading/known-providers.js';
import { openProviderProblems, openProviders } from './production-realm.js';

/** The inputs to the checks of realm files, the same at start, at run time and on the command line. */
export interface FileChecks {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly providers: readonly KnownProvider[];
  /** True if an optional plugin was left out. */
  readonly hasLeftOutPlugin: boolean;
  readonly blacklists: NonNullable<KnownProviders['blacklists']>;
  /**
   * Enables the checks of `keyhost start`, with the providers that may be open there. Undefined for those of start-dev.
   */
  readonly production: { readonly allowOpenProviders: readonly string[] } | undefined;
}

export interface CheckedFile extends RealmFile {
  /** `spi/id` of providers that serve without authentication in the realm. */
  readonly openProviders: readonly string[];
}

/**
 * Reads and checks the realms of files.
 * @param hints true to report the values that are read as different ones
 */
export async function readCheckedFiles(
  group: RealmFileGroup,
  checks: FileChecks,
  { hints = false }: { readonly hints?: boolean } = {},
): Promise<{ readonly accepted: readonly CheckedFile[]; readonly refused: readonly RefusedRealm[] }> {
  const { valid, refused } = await readRealmFiles(group, { ...readingOptions(checks), hints });
  const { providers } = checks;
  return {
    accepted: valid.map((file) => ({ ...file, openProviders: openProviders(file.representation, providers) })),
    refused,
  };
}

/** The options to read and check a realm from any source. */
export function readingOptions({
  env,
  providers,
  hasLeftOutPlugin,
  blacklists,
  production,
}: FileChecks): ReadRealmOptions {
  return {
    env,
    providers,
    hasLeftOutPlugin,
    furtherProblems: (realm) => [
      ...realmFileMistakes(realm, { providers, hasLeftOutPlugin, blacklists }),
      ...missingProfiles(realm),
      ...unprovenLogins(realm, providers),
    ],
    furtherWarnings: (realm) => [
      ...impassableFlows(realm, flowProviders(providers)),
      ...unreadConfiguration(realm),
      ...unreadReferences(realm),
      ...keysWithoutFile(realm, providers),
      ...invalidCertificates(realm),
    ],
    ...(production && {
      unsafeSettings: (realm) => openProviderProblems(realm, providers, production.allowOpenProviders),
    }),
  };
}

/** @throws BootError `realm_invalid` or `production_unsafe` with every problem, if a realm of the files has any */
export async function readValidFiles(group: RealmFileGroup, checks: FileChecks): Promise<readonly CheckedFile[]> {
  const { accepted, refused } = await readCheckedFiles(group, checks);
  if (refused.length > 0) throw combineRefusals(refused);
  return accepted;
}

/** Combines refusals of realms in one error. @param claims problems with other files of these realms */
export function combineRefusals(refused: readonly RefusedRealm[], claims: readonly Problem[] = []): BootError {
  const problems = (isUnsafe: boolean) =>
    refused
      .filter(({ error }) => (error.code === 'production_unsafe') === isUnsafe)
      .flatMap(({ error }) => error.problems);
  return realmRefused([...problems(false), ...claims], problems(true));
}

/** SHA-256 of the inputs that can change the verdict on an unchanged file: Keyhost's version, plugins, mode. */
export function checksFingerprint({ providers, hasLeftOutPlugin, production }: FileChecks, version: string): string {
  const providerInputs = providers.map(({ config, ...provider }) => ({
    ...provider,
    authentication: (config as { authentication?: unknown } | undefined)?.authentication,
  }));
  return createHash('sha256')
    .update(
      JSON.stringify([
        version,
        providerInputs,
        hasLeftOutPlugin,
        production?.allowOpenProviders ?? null,
        IGNORED_SETTING_NAMES,
      ]),
    )
    .digest('base64url');
}
