import { newSentences } from '../config/new-sentences.js';
import { mapperSentences } from '../config/realm-file/mapper-hints.js';
import { newOpenRedirects } from '../config/realm-file/open-redirects.js';
import { unreadSentences } from '../config/realm-file/unread-settings.js';
import { brokenPromises, newlyUnused, sentenceOf } from '../config/settings/unused-settings.js';
import { unusedThings } from '../config/settings/unused-things.js';
import { Environment, Log, Options, Version } from '../di/given.js';
import { module, service } from '../di/module.js';
import { token } from '../di/token.js';
import type { RealmRepresentation } from '../model/representation.js';
import { newMissingProfiles } from '../realms/client-policies/mistakes.js';
import { unreadConfiguration } from '../realms/client-policies/unread-configuration.js';
import { type FlowProviders, flowProblems, flowProviders, impassableFlows } from '../realms/flows/flow-checks.js';
import { unprovenLogins } from '../realms/flows/unproven-logins.js';
import { givenSecretsSentences } from '../realms/given-secrets.js';
import { ApplyServices } from '../realms/module.js';
import { RealmEdits } from '../realms/realm-edits.js';
import { HostPlugins } from '../registry/host-plugins.js';
import { WriteConditions } from '../store/write-conditions.js';
import { PasswordBlacklists } from '../users/passwords/password-blacklists.js';
import type { FileChecks as ChecksOfFiles } from './checked-file.js';
import { productionProblems } from './production-realm.js';
import { RealmFiles } from './realm-files.js';

/** What realm files are checked with while the host runs: plugins come and go. */
export const FileChecks = token<ChecksOfFiles>('FileChecks');

export const realmFiles = module('realm-files', [
  service(FileChecks, (use) => {
    const [options, plugins] = [use(Options), use(HostPlugins)];
    return {
      env: use(Environment),
      blacklists: use(PasswordBlacklists),
      production: options.mode === 'start' ? options : undefined,
      get providers() {
        return plugins.providers;
      },
      get someLeftOut() {
        return plugins.someLeftOut;
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
        onRefused: () => use(HostPlugins).retry(),
      }),
    (files) => files.close(),
  ),
  service(RealmEdits, (use) => {
    const [options, plugins, log] = [use(Options), use(HostPlugins), use(Log)];
    return new RealmEdits(
      use(ApplyServices),
      {
        get providers() {
          return plugins.providers;
        },
        get someLeftOut() {
          return plugins.someLeftOut;
        },
        blacklists: use(PasswordBlacklists),
        inspect: (realm) => [
          ...productionProblems(realm, plugins.providers, options),
          ...unprovenLogins(realm, plugins.providers),
          ...(options.mode === 'start' ? brokenPromises(realm) : []),
        ],
        inspectEdit: flowProblems,
      },
      (before, after, secretsGiven) => {
        const sentences = [
          ...newlyUnused(before, after).map(sentenceOf),
          ...newOpenRedirects(before, after),
          ...(plugins.someLeftOut ? [] : newIdle(before, after, plugins.providers)),
          ...newlyIdle(before, after, flowProviders(plugins.providers)),
          ...newMissingProfiles(before, after),
          ...givenSecretsSentences(secretsGiven),
        ];
        for (const sentence of sentences) log.warn(`realm ${after.realm}: ${sentence}`);
      },
      use(WriteConditions),
    );
  }),
]);

/** What a change has added of things that no provider carries out, of mappers that add nothing, and of settings that nobody reads. */
function newIdle(
  before: RealmRepresentation | undefined,
  after: RealmRepresentation,
  providers: HostPlugins['providers'],
): readonly string[] {
  const added = (sentencesOf: (realm: RealmRepresentation) => readonly string[]) =>
    newSentences(before, after, sentencesOf);
  return [
    ...added((realm) => unusedThings(realm, providers).map(({ message }) => message)),
    ...added((realm) => mapperSentences(realm, providers)),
    ...added((realm) => unreadSentences(realm, providers)),
  ];
}

/** Flows that a change has made such that nobody passes, and settings that it gave executors of client policies in vain. */
function newlyIdle(
  before: RealmRepresentation | undefined,
  after: RealmRepresentation,
  having: FlowProviders,
): readonly string[] {
  return newSentences(before, after, (realm) =>
    [...impassableFlows(realm, having), ...unreadConfiguration(realm)].map(sentenceOf),
  );
}
