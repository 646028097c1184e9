import {
  type ProviderDefinition,
  provide,
  RequiredAction,
  type RequiredActionContext,
  type RequiredActionStep,
  type StepPage,
} from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import { profileFields, typedValues } from '../../pages/forms/profile-fields.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { attributeValues, setAttribute } from '../../users/profile/attribute-values.js';
import type { AttributeMistake, AttributeValues } from '../../users/profile/check-profile.js';
import { fillDefaults, withDefaults } from '../../users/profile/default-values.js';
import { type OwnAttribute, userAttributes, userProblems } from '../../users/profile/own-profile.js';
import type { PluginValidators, ValuesToValidate } from '../../users/profile/plugin-validators.js';
import type { Users } from '../../users/users.js';

export interface ProfileServices {
  readonly users: Users;
  readonly validators: PluginValidators;
}

/** Keycloak's UPDATE_PROFILE: users edit the attributes that the realm's user profile lets them. */
export function updateProfile(services: ProfileServices): ProviderDefinition {
  return provide(RequiredAction, {
    id: 'UPDATE_PROFILE',
    displayText: 'Update Profile',
    eventType: 'UPDATE_PROFILE',
    initiable: true,
    open: () => ({
      create: (session: HostSession) => ({
        challenge: async (context) => {
          const realm = session.compiledRealm;
          const page = pageOf(realm, context, valuesOf(realm, context.user), [], 'updateProfileMessage');
          return { outcome: 'challenge', page };
        },
        action: (context, form) => change(services, session, context, form, 'updateProfileMessage'),
      }),
    }),
  });
}

/** Keycloak's VERIFY_PROFILE: required if the user's attributes do not fit the realm's user profile. */
export function verifyProfile(services: ProfileServices): ProviderDefinition {
  return provide(RequiredAction, {
    id: 'VERIFY_PROFILE',
    displayText: 'Verify Profile',
    eventType: 'VERIFY_PROFILE',
    open: () => ({
      create: (session: HostSession) => {
        const realm = session.compiledRealm;
        const mistakesOf = async (user: RequiredActionContext['user']) => {
          const values = valuesOf(realm, user);
          const attributes = userAttributes(realm, 'UPDATE_PROFILE', user);
          const own = userProblems(realm, attributes, values);
          return own.length > 0 ? own : services.validators.validateStored(realm, givenTo(user, attributes, values));
        };
        return {
          triggered: async (user) => user.serviceAccountClientId === undefined && (await mistakesOf(user)).length > 0,
          async challenge(context): Promise<RequiredActionStep> {
            const mistakes = await mistakesOf(context.user);
            if (mistakes.length === 0) return { outcome: 'success' };
            const page = pageOf(realm, context, valuesOf(realm, context.user), mistakes, 'verifyProfileMessage');
            return { outcome: 'challenge', page };
          },
          action: (context, form) => change(services, session, context, form, 'verifyProfileMessage'),
        };
      },
    }),
  });
}

function valuesOf(realm: Realm, user: RequiredActionContext['user']): AttributeValues {
  return withDefaults(realm, attributeValues(user));
}

function givenTo(
  user: RequiredActionContext['user'],
  attributes: readonly OwnAttribute[],
  values: AttributeValues,
): ValuesToValidate {
  const names = attributes.flatMap(({ attribute, readOnly }) => (readOnly ? [] : [attribute.name]));
  return { context: 'UPDATE_PROFILE', names, values, user };
}

async function change(
  { users, validators }: ProfileServices,
  session: HostSession,
  context: RequiredActionContext,
  form: Readonly<Record<string, string>>,
  text: string,
): Promise<RequiredActionStep> {
  const realm = session.compiledRealm;
  const { id, email: before = '' } = context.user;
  const attributes = userAttributes(realm, 'UPDATE_PROFILE', context.user);
  const typed = typedValues(attributes, form, attributeValues(context.user));
  const refuse = (mistakes: readonly AttributeMistake[]): RequiredActionStep => ({
    outcome: 'challenge',
    error: 'invalid_registration',
    page: pageOf(realm, context, typed, mistakes, text),
  });
  const mistakes = userProblems(realm, attributes, typed);
  if (mistakes.length > 0) return refuse(mistakes);
  const others = await validators.validateForPage(realm, givenTo(context.user, attributes, typed));
  if (others.length > 0) return refuse(others);
  const changed = await users.change(realm, id, (draft) => {
    for (const { attribute, readOnly } of attributes) {
      if (!readOnly) setAttribute(draft, attribute.name, typed(attribute.name));
    }
    fillDefaults(draft, realm);
    if ((draft.email ?? '').toLowerCase() === before.toLowerCase()) return;
    if (realm.settings.registrationEmailAsUsername && draft.email) draft.username = draft.email;
    draft.emailVerified = false;
    draft.linksNotBefore = session.clock.now();
  });
  if (changed !== undefined && 'exists' in changed) {
    const byEmail = changed.exists === 'email' || realm.settings.registrationEmailAsUsername;
    return refuse([
      {
        attribute: byEmail ? 'email' : 'username',
        message: byEmail ? 'emailExistsMessage' : 'usernameExistsMessage',
        parameters: [],
      },
    ]);
  }
  const after = changed?.view.email ?? '';
  return { outcome: 'success', ...(after === before ? {} : { details: emailDetails(before, after) }) };
}

/** Keycloak's event details for a changed email. */
export function emailDetails(before: string, after: string): Readonly<Record<string, string>> {
  return { previous_email: before, updated_email: after };
}

function pageOf(
  realm: Realm,
  { user, initiated }: RequiredActionContext,
  values: AttributeValues,
  mistakes: readonly AttributeMistake[],
  text: string,
): StepPage {
  return {
    page: 'form',
    title: { key: 'loginProfileTitle' },
    text: { key: text },
    fields: profileFields(realm, userAttributes(realm, 'UPDATE_PROFILE', user), values, mistakes),
    submit: { key: 'doSubmit' },
    ...(initiated ? { cancel: { key: 'doCancel' } } : {}),
  };
}
