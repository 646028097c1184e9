import { notFound } from '../../http/not-found.js';
import { emailDetails } from '../../login/required-actions/update-profile.js';
import type { UserRepresentation } from '../../model/representation.js';
import type { User } from '../../model/user.js';
import { attributeValues } from '../../users/profile/attribute-values.js';
import {
  accountAttributes,
  changeProfile,
  checkProfile,
  isEmailChanged,
  isUsernameChanged,
  ProfileInvalidError,
  type SubmittedValues,
  withSubmittedValues,
} from '../../users/profile/change-profile.js';
import {
  type AccountContext,
  type AccountParts,
  emitAccountEvent,
  emitAccountEventWithChange,
  isRecentLogin,
} from '../account.js';

/** True if the change affects how the user signs in or where links are mailed, and the login is not recent. */
export function needsFreshLogin(parts: AccountParts, account: AccountContext, submitted: SubmittedValues): boolean {
  const before = account.user.representation;
  const after = withSubmittedValues(account.exchange.realm, before, submitted);
  return (isEmailChanged(before, after) || isUsernameChanged(before, after)) && !isRecentLogin(parts, account);
}

/**
 * Checks a user's changes before they take effect.
 * @throws ProfileInvalidError, ProfileUnavailableError
 */
export async function requireValidProfile(
  { validators }: AccountParts,
  account: AccountContext,
  submitted: SubmittedValues,
): Promise<void> {
  const { user, exchange } = account;
  const { realm } = exchange;
  checkProfile(realm, user.representation, submitted);
  const names = accountAttributes(realm, user.representation).flatMap(({ attribute, readOnly }) =>
    readOnly ? [] : [attribute.name],
  );
  const values = attributeValues(withSubmittedValues(realm, user.representation, submitted));
  const problems = await validators.validate(realm, { context: 'ACCOUNT', names, values, user: user.view });
  if (problems.length > 0) throw new ProfileInvalidError(problems);
}

/**
 * Changes the user's profile, with Keycloak's events.
 * @throws ProfileInvalidError
 */
export async function saveProfile(
  parts: AccountParts,
  account: AccountContext,
  submitted: SubmittedValues,
): Promise<User> {
  const { realm } = account.exchange;
  const expected = withSubmittedValues(realm, account.user.representation, submitted);
  let versions = { before: account.user.representation, after: expected };
  const emailEventDetails = () =>
    isEmailChanged(versions.before, versions.after)
      ? emailDetails(versions.before.email ?? '', versions.after.email ?? '')
      : undefined;
  const change = await emitAccountEventWithChange(parts, account, 'UPDATE_EMAIL', emailEventDetails, async () => {
    const result = await changeProfile(parts, realm, account.user.id, submitted);
    if (result !== undefined) versions = { before: result.before.representation, after: result.after.representation };
    return result;
  });
  if (change === undefined) throw notFound();
  const before = change.before.representation;
  const after = change.after.representation;
  const names = accountAttributes(realm, before).map(({ attribute }) => attribute.name);
  const values = (user: UserRepresentation, name: string) => JSON.stringify(attributeValues(user)(name));
  const updatedNames = names.filter((name) => values(before, name) !== values(after, name));
  if (updatedNames.length > 0) {
    emitAccountEvent(parts, account, 'UPDATE_PROFILE', {
      context: 'ACCOUNT',
      updated_attributes: updatedNames.join(' '),
    });
  }
  return change.after;
}
