import {
  FormAction,
  type FormActionContext,
  type FormPart,
  type FormValidation,
  type ProviderDefinition,
  provide,
} from '@keyhost/spi';
import type { Realm } from '../../../model/realm.js';
import { messageOfProblem, profileFields } from '../../../pages/forms/profile-fields.js';
import { USER_CREATION } from '../../../realms/flows/registration-steps.js';
import type { HostSession } from '../../../registry/sessions/host-session.js';
import { attributeValues } from '../../../users/profile/attribute-values.js';
import { userAttributes, userProblems } from '../../../users/profile/own-profile.js';
import type { PluginValidators } from '../../../users/profile/plugin-validators.js';
import { enteredProfile, fillProfile, type HostFormActionResult, newUser } from '../new-user.js';

/**
 * Keycloak's RegistrationUserCreation: the fields of the user profile. The host stores the user after the last action.
 */
export function userCreation({ validators }: { readonly validators: PluginValidators }): ProviderDefinition {
  return provide(FormAction, {
    id: USER_CREATION,
    describe: {
      displayName: 'Registration User Profile Creation',
      helpText: 'Creates the user and its profile. It stands before the actions that work with the new user.',
    },
    open: () => ({ create: ({ compiledRealm }: HostSession) => new UserCreation(compiledRealm, validators) }),
  });
}

class UserCreation {
  readonly #realm: Realm;
  readonly #validators: PluginValidators;

  constructor(realm: Realm, validators: PluginValidators) {
    this.#realm = realm;
    this.#validators = validators;
  }

  async buildPage({ form }: FormActionContext): Promise<FormPart> {
    const attributes = userAttributes(this.#realm, 'REGISTRATION');
    return { fields: profileFields(this.#realm, attributes, enteredProfile(this.#realm, form), []) };
  }

  async validate({ form }: FormActionContext): Promise<FormValidation> {
    const attributes = userAttributes(this.#realm, 'REGISTRATION');
    const draft = fillProfile(this.#realm, newUser(this.#realm, 0), form);
    const values = attributeValues(draft);
    const ownProblems = userProblems(this.#realm, attributes, values);
    const names = attributes.map(({ attribute }) => attribute.name);
    const change = { context: 'REGISTRATION', names, values } as const;
    // Skip the plugins' validators if the form is rejected anyway.
    const problems = ownProblems.length > 0 ? ownProblems : await this.#validators.validateForPage(this.#realm, change);
    return { errors: problems.map((problem) => ({ field: problem.attribute, message: messageOfProblem(problem) })) };
  }

  async success({ form }: FormActionContext): Promise<HostFormActionResult> {
    return { change: (draft) => fillProfile(this.#realm, draft, form) };
  }
}
