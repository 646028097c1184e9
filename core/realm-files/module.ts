import { addedSentences } from '../config/added-sentences.js';
import type { SchemaProblem } from '../config/json/schema-check.js';
import { newOpenRedirects } from '../config/realm-file/open-redirects.js';
import { unsupportedProtections } from '../config/settings/ignored-settings.js';
import { Environment, Log, Options, Version } from '../di/host-tokens.js';
import { module, service } from '../di/module.js';
import { token } from '../di/token.js';
import type { RealmRepresentation } from '../model/representation.js';
import { newMissingProfiles } from '../realms/client-policies/mistakes.js';
import { type FlowProviders, flowProblems, flowProviders, impassableFlows } from '../realms/flows/flow-checks.js';
import { unprovenLogins } from '../realms/flows/unproven-logins.js';
import { generatedSecretSentences } from '../realms/generated-secrets.js';
import { newIdleMembers } from '../realms/idle-members.js';
import { ApplyServices } from '../realms/module.js';
import { RealmEdits } from '../realms/realm-edits.js';
import { HostPlugins } from '../registry/host-plugins.js';
import { WriteConditions } from '../store/write-conditions.js';
import { PasswordBlacklists } from '../users/passwords/password-blacklists.js';
import type { FileChecks as ChecksOfFiles } from './checked-file.js';
import { productionProblems } from './production-realm.js';
import { RealmFiles } from './realm-files.js';

/** The checks of realm files while the host runs. Read on each use, since plugins may change. */
export const FileChecks = token<ChecksOfFiles>('FileChecks');

export const realmFiles = module('realm-files', [
  service(FileChecks, (use) => {
    const options = use(Options);
    const plugins = use(HostPlugins);
    return {
      env: use(Environment),
      blacklists: use(PasswordBlacklists),
      production: options.mode === 'start' ? options : undefined,
      get providers() {
        return plugins.providers;
      },
      get hasLeftOutPlugin() {
        return plugins.hasLeftOutPlugins;
      },
    };
  }),
  service(
    RealmFiles,
    (use) =>
      new RealmFiles({
        dir: use(Options).realmsDir,
        version: use(Version),
        apply: use(ApplyServices),
        logger: use(Log),
        checks: use(FileChecks),
        onRefused: () => use(HostPlugins).retryFailedUpdate(),
      }),
    (files) => files.close(),
  ),
  service(RealmEdits, (use) => {
    const options = use(Options);
    const plugins = use(HostPlugins);
    const log = use(Log);
    return new RealmEdits(
      use(ApplyServices),
      {
        get providers() {
          return plugins.providers;
        },
        get hasLeftOutPlugin() {
          return plugins.hasLeftOutPlugins;
        },
        blacklists: use(PasswordBlacklists),
        furtherProblems: (realm) => [
          ...productionProblems(realm, plugins.providers, options),
          ...unprovenLogins(realm, plugins.providers),
          ...(options.mode === 'start' ? unsupportedProtections(realm) : []),
        ],
        furtherUserProblems: (realm) => (options.mode === 'start' ? unsupportedProtections(realm) : []),
        inspectEdit: flowProblems,
        isProduction: options.mode === 'start',
      },
      (before, after, secretsGiven) => {
        const sentences = [
          ...newIdleMembers(before, after, plugins).map(({ sentence }) => sentence),
          ...newOpenRedirects(before, after),
          ...newlyImpassable(before, after, flowProviders(plugins.providers)),
          ...newMissingProfiles(before, after),
          ...generatedSecretSentences(secretsGiven),
        ];
        for (const sentence of sentences) log.warn(`realm ${after.realm}: ${sentence}`);
      },
      use(WriteConditions),
    );
  }),
]);

/** Flows that a change makes impossible to complete. */
function newlyImpassable(
  before: RealmRepresentation | undefined,
  after: RealmRepresentation,
  providers: FlowProviders,
): readonly string[] {
  const describe = ({ path, message }: SchemaProblem) => `${path.at(-1)}: ${message}`;
  return addedSentences(before, after, (realm) => impassableFlows(realm, providers).map(describe));
}
