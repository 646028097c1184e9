import type { Realm } from '../../model/realm.js';
import type { UserRepresentation } from '../../model/representation.js';
import { User } from '../../model/user.js';
import { newUserDefaults } from '../../realms/new-user-defaults.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { PluginValidators } from '../../users/profile/plugin-validators.js';
import type { Users } from '../../users/users.js';
import { badRequest } from '../admin.js';
import { assignableActions } from '../authentication/required-action-operations.js';
import type { AdminCall } from '../operation.js';
import { applyUserInput, droppedActions, droppedAttributes, requireValidAttributes } from './apply-user-input.js';
import { requireRightsOfUser, userExistsError } from './change-user.js';
import { type PasswordParts, prepareCredentials } from './credential-input.js';
import { toPasswordError } from './password-refused.js';
import type { FederatedIdentity, UserInput } from './user-input.js';

/**
 * Creates a user with the realm's default role and groups, and with the groups and credentials of the request. Other
 * roles in the request are ignored.
 * @param id the new user's ID
 * @throws AdminError 400, 409; 403 if the groups have rights that the caller lacks
 */
export async function createUser(
  parts: PasswordParts & { users: Users; registry: ProviderRegistry; validators: PluginValidators },
  { realm, admin, body, setEventDetails }: AdminCall,
  id: string,
): Promise<void> {
  const input = body as UserInput;
  const draft: UserRepresentation & { id: string } = {
    id,
    username: '',
    enabled: false,
    createdTimestamp: parts.clock.now(),
    ...newUserDefaults(realm),
  };
  const { groups = [], requiredActions = [] } = draft;
  draft.groups = [...new Set([...groups, ...requireGroupPaths(realm, input.groups ?? [])])];
  const actions = assignableActions(parts.registry, realm);
  applyUserInput(draft, input, realm, actions, admin);
  const allActions = new Set([...requiredActions, ...(draft.requiredActions ?? [])]);
  if (allActions.size > 0) draft.requiredActions = [...allActions];
  else delete draft.requiredActions;
  if (input.federatedIdentities) draft.federatedIdentities = input.federatedIdentities.map(requireIdentity);
  setEventDetails({ ignored: [...droppedAttributes(input, {}, realm, admin), ...droppedActions(input, actions)] });
  requireRightsOfUser(admin, realm, new User({ id: draft.id, version: 0, representation: draft }));
  await requireValidAttributes(parts.validators, realm, undefined, draft, admin);
  try {
    const apply = await prepareCredentials(parts, realm, draft, input.credentials ?? []);
    apply(draft);
  } catch (error) {
    throw toPasswordError(error);
  }
  // A new user has no links that could be revoked.
  delete draft.linksNotBefore;
  const created = await parts.users.create(realm, draft);
  if ('exists' in created) throw userExistsError(created.exists);
}

function requireGroupPaths(realm: Realm, paths: readonly string[]): string[] {
  return paths.map((path) => {
    const absolutePath = path.startsWith('/') ? path : `/${path}`;
    const storedPath = realm.findGroupPath(absolutePath);
    if (storedPath === undefined) throw badRequest(`groups: Unable to find group specified by path: ${absolutePath}`);
    return storedPath;
  });
}

function requireIdentity({ identityProvider, userId, userName }: { [Key in keyof FederatedIdentity]?: string | null }) {
  if (!identityProvider || !userId) throw badRequest('federatedIdentities: identityProvider and userId are required');
  return { identityProvider, userId, userName: userName ?? userId };
}
