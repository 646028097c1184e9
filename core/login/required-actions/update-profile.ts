import {
  type ProviderDefinition,
  provide,
  RequiredAction,
  type RequiredActionContext,
  type RequiredActionStep,
  type StepPage,
} from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import { profileFields, valuesOfForm } from '../../pages/forms/profile-fields.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { attributeValues, setAttribute } from '../../users/profile/attribute-values.js';
import { fillDefaults, withDefaults } from '../../users/profile/default-values.js';
import { type UserAttribute, userAttributes, userProblems } from '../../users/profile/own-profile.js';
import type { PluginValidators, ValuesToValidate } from '../../users/profile/plugin-validators.js';
import type { AttributeProblem, AttributeValues } from '../../users/profile/profile-problems.js';
import type { Users } from '../../users/users.js';

export interface ProfileServices {
  readonly users: Users;
  readonly validators: PluginValidators;
}

/** Keycloak's UPDATE_PROFILE: users edit the attributes that the realm's user profile lets them edit. */
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
        action: (context, form) => submitProfile(services, session, context, form, 'updateProfileMessage'),
      }),
    }),
  });
}

/** Keycloak's VERIFY_PROFILE: required if the user's attributes violate the realm's user profile. */
export function verifyProfile(services: ProfileServices): ProviderDefinition {
  return provide(RequiredAction, {
    id: 'VERIFY_PROFILE',
    displayText: 'Verify Profile',
    eventType: 'VERIFY_PROFILE',
    open: () => ({
      create: (session: HostSession) => {
        const realm = session.compiledRealm;
        const problemsOf = async (user: RequiredActionContext['user']) => {
          const values = valuesOf(realm, user);
          const attributes = userAttributes(realm, 'UPDATE_PROFILE', user);
          const profileProblems = userProblems(realm, attributes, values);
          return profileProblems.length > 0
            ? profileProblems
            : services.validators.validateStored(realm, changeOf(user, attributes, values));
        };
        return {
          triggered: async (user) => user.serviceAccountClientId === undefined && (await problemsOf(user)).length > 0,
          async challenge(context): Promise<RequiredActionStep> {
            const problems = await problemsOf(context.user);
            if (problems.length === 0) return { outcome: 'success' };
            const page = pageOf(realm, context, valuesOf(realm, context.user), problems, 'verifyProfileMessage');
            return { outcome: 'challenge', page };
          },
          action: (context, form) => submitProfile(services, session, context, form, 'verifyProfileMessage'),
        };
      },
    }),
  });
}

function valuesOf(realm: Realm, user: RequiredActionContext['user']): AttributeValues {
  return withDefaults(realm, attributeValues(user));
}

function changeOf(
  user: RequiredActionContext['user'],
  attributes: readonly UserAttribute[],
  values: AttributeValues,
): ValuesToValidate {
  const names = attributes.flatMap(({ attribute, readOnly }) => (readOnly ? [] : [attribute.name]));
  return { context: 'UPDATE_PROFILE', names, values, user };
}

async function submitProfile(
  { users, validators }: ProfileServices,
  session: HostSession,
  context: RequiredActionContext,
  form: Readonly<Record<string, string>>,
  textKey: string,
): Promise<RequiredActionStep> {
  const realm = session.compiledRealm;
  const { id, email: previousEmail = '' } = context.user;
  const attributes = userAttributes(realm, 'UPDATE_PROFILE', context.user);
  const entered = valuesOfForm(attributes, form, attributeValues(context.user));
  const refuse = (problems: readonly AttributeProblem[]): RequiredActionStep => ({
    outcome: 'challenge',
    error: 'invalid_registration',
    page: pageOf(realm, context, entered, problems, textKey),
  });
  const ownProblems = userProblems(realm, attributes, entered);
  if (ownProblems.length > 0) return refuse(ownProblems);
  const pluginProblems = await validators.validateForPage(realm, changeOf(context.user, attributes, entered));
  if (pluginProblems.length > 0) return refuse(pluginProblems);
  const updatedUser = await users.change(realm, id, (draft) => {
    for (const { attribute, readOnly } of attributes) {
      if (!readOnly) setAttribute(draft, attribute.name, entered(attribute.name));
    }
    fillDefaults(draft, realm);
    if ((draft.email ?? '').toLowerCase() === previousEmail.toLowerCase()) return;
    if (realm.settings.registrationEmailAsUsername && draft.email) draft.username = draft.email;
    draft.emailVerified = false;
    draft.linksNotBefore = session.clock.now();
  });
  if (updatedUser !== undefined && 'exists' in updatedUser) {
    const isEmailTaken = updatedUser.exists === 'email' || realm.settings.registrationEmailAsUsername;
    return refuse([
      {
        attribute: isEmailTaken ? 'email' : 'username',
        message: isEmailTaken ? 'emailExistsMessage' : 'usernameExistsMessage',
        parameters: [],
      },
    ]);
  }
  const newEmail = updatedUser?.view.email ?? '';
  return {
    outcome: 'success',
    ...(newEmail === previousEmail ? {} : { details: emailDetails(previousEmail, newEmail) }),
  };
}

/** Keycloak's event details for a changed email. */
export function emailDetails(previous: string, updated: string): Readonly<Record<string, string>> {
  return { previous_email: previous, updated_email: updated };
}

function pageOf(
  realm: Realm,
  { user, initiated }: RequiredActionContext,
  values: AttributeValues,
  problems: readonly AttributeProblem[],
  textKey: string,
): StepPage {
  return {
    page: 'form',
    title: { key: 'loginProfileTitle' },
    text: { key: textKey },
    fields: profileFields(realm, userAttributes(realm, 'UPDATE_PROFILE', user), values, problems),
    submit: { key: 'doSubmit' },
    ...(initiated ? { cancel: { key: 'doCancel' } } : {}),
  };
}
