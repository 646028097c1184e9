import { Authenticator, type BrokeredIdentity, type ProviderDefinition, provide } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import { messageOfProblem } from '../../pages/forms/profile-fields.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { attributeValues } from '../../users/profile/attribute-values.js';
import type { PluginValidators } from '../../users/profile/plugin-validators.js';
import { notBrokeredFailure } from './not-brokered.js';
import {
  type Profile,
  type ProfileProblems,
  profileFromForm,
  profileOfIdentity,
  profilePage,
  profileProblems,
} from './profile-form.js';

/**
 * Keycloak's IdpReviewProfileAuthenticator: the user reviews and corrects the provider's data. With
 * `update.profile.on.first.login` `on` it always asks, with `off` never, and with `missing` (the default) only if a
 * value is missing.
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
        const challenge = (identity: BrokeredIdentity, profile = profileOfIdentity(identity), problems = {}) =>
          ({ outcome: 'challenge', page: profilePage(realm, identity, profile, problems) }) as const;
        const problemsOf = async (profile: Profile, waitMode?: 'briefly') => {
          const profileErrors = profileProblems(profile);
          return Object.keys(profileErrors).length > 0
            ? profileErrors
            : pluginProblems(validators, realm, profile, waitMode);
        };
        const isIncomplete = async (profile: Profile) => Object.keys(await problemsOf(profile, 'briefly')).length > 0;
        return {
          async authenticate({ brokered, config }) {
            if (brokered === undefined) return notBrokeredFailure();
            const condition = config['update.profile.on.first.login'] ?? 'missing';
            const shouldAsk =
              brokered.review ||
              condition === 'on' ||
              (condition !== 'off' && (await isIncomplete(profileOfIdentity(brokered))));
            return shouldAsk ? challenge(brokered) : { outcome: 'success' };
          },
          async action({ brokered }, form) {
            if (brokered === undefined) return notBrokeredFailure();
            const profile = profileFromForm(realm, profileOfIdentity(brokered), form);
            const problems = await problemsOf(profile);
            if (Object.keys(problems).length === 0) return { outcome: 'success', profile };
            return { ...challenge(brokered, profile, problems), error: 'invalid_registration' };
          },
        };
      },
    }),
  });
}

async function pluginProblems(
  validators: PluginValidators,
  realm: Realm,
  profile: Profile,
  waitMode?: 'briefly',
): Promise<ProfileProblems> {
  const request = { context: 'IDP_REVIEW', names: Object.keys(profile), values: attributeValues(profile) } as const;
  const problems = await validators.validateForPage(realm, request, waitMode);
  return Object.fromEntries(problems.map((problem) => [problem.attribute, messageOfProblem(problem)]));
}
