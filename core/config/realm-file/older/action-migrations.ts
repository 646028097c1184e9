import type { RequiredActionRepresentation } from '../../../model/representation.js';
import type { MigratingRealm, Migration } from './migration.js';

type AddedAction = Required<Pick<RequiredActionRepresentation, 'alias' | 'name' | 'enabled' | 'priority'>>;

/** Changes that releases of Keycloak made to the list of required actions, if a file has one. */
export const ACTION_MIGRATIONS: readonly Migration[] = [
  { release: '4.2.0', migrate: numberByName },
  {
    release: '9.0.0',
    migrate: addingAction({ alias: 'update_user_locale', name: 'Update User Locale', enabled: true, priority: 1000 }),
  },
  {
    release: '24.0.3',
    migrate: addingAction({ alias: 'delete_credential', name: 'Delete Credential', enabled: true, priority: 110 }),
  },
  {
    release: '26.3.0',
    migrate: addingAction({ alias: 'idp_link', name: 'Linking Identity Provider', enabled: true, priority: 120 }),
  },
  { release: '26.7.0', migrate: moveAfterVerifyEmail },
];

function addingAction(action: AddedAction): Migration['migrate'] {
  return (migrating) => {
    if (addAction(migrating.realm.requiredActions, action)) {
      migrating.recordConversion(['requiredActions'], `the required action ${action.alias} is added`);
    }
  };
}

/** @returns false if the file has no list, or the list has the action */
export function addAction(
  actions: RequiredActionRepresentation[] | undefined,
  { alias, ...action }: AddedAction,
): boolean {
  if (actions === undefined || actions.some((one) => one.alias === alias)) return false;
  actions.push({ alias, providerId: alias, defaultAction: false, config: {}, ...action });
  return true;
}

function numberByName(migrating: MigratingRealm): void {
  const name = ({ name, alias }: RequiredActionRepresentation) => name ?? alias;
  const sorted = [...(migrating.realm.requiredActions ?? [])].sort((a, b) => (name(a) < name(b) ? -1 : 1));
  for (const [index, action] of sorted.entries()) action.priority = (index + 1) * 10;
  if (sorted.length > 0)
    migrating.recordConversion(['requiredActions'], 'the required actions have priorities in the order of their names');
}

/** Moves the setup of an authenticator app and of a password after the verification of the email address. */
function moveAfterVerifyEmail(migrating: MigratingRealm): void {
  const actions = migrating.realm.requiredActions ?? [];
  const byAlias = (alias: string) => actions.find((action) => action.alias === alias);
  const [verify, totp, password] = ['VERIFY_EMAIL', 'CONFIGURE_TOTP', 'UPDATE_PASSWORD'].map(byAlias);
  if (verify === undefined || (totp ?? password) === undefined) return;
  const usedPriorities = actions.map(({ priority = 0 }) => priority);
  const nextAfter = (priority: number) => {
    let next = priority + 1;
    while (usedPriorities.includes(next)) next += 1;
    return next;
  };
  const isUntouched = verify.priority === 50 && totp?.priority === 10 && password?.priority === 30;
  let next = isUntouched ? 54 : nextAfter(verify.priority ?? 0);
  if (totp !== undefined) {
    totp.priority = next;
    next = isUntouched ? 57 : nextAfter(next);
  }
  if (password !== undefined) password.priority = next;
  migrating.recordConversion(
    ['requiredActions'],
    'CONFIGURE_TOTP and UPDATE_PASSWORD are asked for after VERIFY_EMAIL',
  );
}
