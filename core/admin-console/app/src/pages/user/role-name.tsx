import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { useRights } from '../../api/rights.ts';
import { isAdminRole, type OwnedRole } from '../../api/user-roles.ts';
import { useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { rolesHref } from '../roles/role-columns.tsx';
import { texts as roleTexts } from './role-texts.ts';

/** The name of a role with its client. It links to the role's page if the signed-in user may see that. */
export function RoleName({ realm, role }: { realm: string; role: OwnedRole }) {
  const { id, name, clientRole, containerId, client } = role;
  const can = useRights(realm);
  const list = rolesHref(realm, clientRole ? containerId : undefined);
  return (
    <>
      {can(clientRole ? 'view-clients' : 'view-realm') ? (
        <Link href={`${list}/${encodeSegment(id)}`}>{name}</Link>
      ) : (
        name
      )}
      {client !== undefined && <small className="role-client"> {client}</small>}
    </>
  );
}

/** A role in the first column of a table. Roles of administration are marked. */
export function RoleHeader({ realm, role }: { realm: string; role: OwnedRole }) {
  const { adminRole } = useTexts(roleTexts);
  return (
    <>
      <RoleName realm={realm} role={role} />
      {isAdminRole(realm, role) && (
        <>
          {' '}
          <Badge tone="warning">{adminRole}</Badge>
        </>
      )}
    </>
  );
}
