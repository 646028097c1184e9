import { Authenticator, type BrokeredIdentity, type ProviderDefinition, provide } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import { errorOf } from '../../pages/forms/profile-fields.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { attributeValues } from '../../users/profile/attribute-values.js';
import type { PluginValidators } from '../../users/profile/plugin-validators.js';
import { notBrokeredFailure } from './not-brokered.js';
import {
  type Profile,
  type ProfileProblems,
  profileOf,
  profilePage,
  profileProblems,
  typedProfile,
} from './profile-form.js';

/**
 * Keycloak's IdpReviewProfileAuthenticator: the user reviews and corrects the provider's data. Its config
 * `update.profile.on.first.login` is `on`, `off`, or `missing` (the default): only if a value is missing.
 */
export function reviewProfile({ validators }: { readonly validators: PluginValidators }): ProviderDefinition {
  return provide(Authenticator, {
    id: 'idp-review-profile',
    describe: {
      displayName: 'Review Profile',
      helpText: 'User reviews and updates profile data retrieved from Identity Provider.',
      requirements: ['REQUIRED', 'DISABLED'],
    },
    settings: {
      type: 'object',
      properties: {
        'update.profile.on.first.login': {
          enum: ['on', 'missing', 'off'],
          title: 'Update Profile on First Login',
          description: 'When users see their profile: always, if something is missing, or never.',
          default: 'missing',
        },
      },
    },
    open: () => ({
      create: (session: HostSession) => {
        const realm = session.compiledRealm;
        const ask = (identity: BrokeredIdentity, given = profileOf(identity), problems = {}) =>
          ({ outcome: 'challenge', page: profilePage(realm, identity, given, problems) }) as const;
        const problemsOf = async (given: Profile, waits?: 'briefly') => {
          const own = profileProblems(given);
          return Object.keys(own).length > 0 ? own : problemsOfPlugins(validators, realm, given, waits);
        };
        const lacks = async (given: Profile) => Object.keys(await problemsOf(given, 'briefly')).length > 0;
        return {
          async authenticate({ brokered, config }) {
            if (brokered === undefined) return notBrokeredFailure();
            const when = config['update.profile.on.first.login'] ?? 'missing';
            const asks = brokered.review || when === 'on' || (when !== 'off' && (await lacks(profileOf(brokered))));
            return asks ? ask(brokered) : { outcome: 'success' };
          },
          async action({ brokered }, form) {
            if (brokered === undefined) return notBrokeredFailure();
            const given = typedProfile(realm, profileOf(brokered), form);
            const problems = await problemsOf(given);
            if (Object.keys(problems).length === 0) return { outcome: 'success', profile: given };
            return { ...ask(brokered, given, problems), error: 'invalid_registration' };
          },
        };
      },
    }),
  });
}

async function problemsOfPlugins(
  validators: PluginValidators,
  realm: Realm,
  given: Profile,
  waits?: 'briefly',
): Promise<ProfileProblems> {
  const asked = { context: 'IDP_REVIEW', names: Object.keys(given), values: attributeValues(given) } as const;
  const mistakes = await validators.mistakesForPage(realm, asked, waits);
  return Object.fromEntries(mistakes.map((mistake) => [mistake.attribute, errorOf(mistake)]));
}
