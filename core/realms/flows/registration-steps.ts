import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { allExecutions, type Execution, flowOf, readFlow } from './flow-model.js';

/** Keycloak's step that is a form, whose parts are the steps of the flow in it. */
export const REGISTRATION_PAGE = 'registration-page-form';
const CREATION = 'registration-user-creation';
const PASSWORD = 'registration-password-action';
const TERMS = 'registration-terms-and-conditions';
/** Of realms before Keycloak 24: the creation does its work. */
const FORMER = 'registration-profile-action';

/** Keycloak's form actions that registering consists of here. */
export const REGISTRATION_STEPS: readonly string[] = [CREATION, PASSWORD, TERMS];

/** What the realm's registration asks for. */
export interface RegistrationSteps {
  readonly password: boolean;
  readonly terms: boolean;
  /** What the flow wants and this host does not have, or what it lacks; empty: people can register. */
  readonly missing: readonly string[];
}

/** Reads the form of the client's registration flow. */
export function registrationSteps(realm: Realm, client: Client): RegistrationSteps {
  return stepsOf(flowOf(realm, client, 'registration'));
}

/** What keeps everybody from registering in the realm; empty: nothing. */
export function missingSteps(realm: RealmRepresentation): readonly string[] {
  return stepsOf(readFlow(realm, realm.registrationFlow ?? 'registration')).missing;
}

function stepsOf(flow: readonly Execution[]): RegistrationSteps {
  const page = allExecutions(flow).find(
    ({ authenticator, requirement }) => authenticator === REGISTRATION_PAGE && requirement !== 'DISABLED',
  );
  const steps = (page?.executions ?? [])
    .filter(({ requirement }) => requirement !== 'DISABLED')
    .map(({ authenticator = 'a flow within the form' }) => authenticator);
  const unknown = steps.filter((step) => !REGISTRATION_STEPS.includes(step) && step !== FORMER);
  return {
    password: steps.includes(PASSWORD),
    terms: steps.includes(TERMS),
    missing: steps.includes(CREATION) ? unknown : [...unknown, CREATION],
  };
}
