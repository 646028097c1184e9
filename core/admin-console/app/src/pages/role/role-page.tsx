import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { oneClient } from '../../api/clients.ts';
import { useRights } from '../../api/rights.ts';
import { type FullRole, oneRole, removeRole, roleKey, rolesKey } from '../../api/roles.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Facts } from '../../parts/facts.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { RemoveButton } from '../../parts/remove-button.tsx';
import { isProtectedClient } from '../clients/protected-clients.ts';
import { rolesHref } from '../roles/role-columns.tsx';
import { ContainedRoles } from './contained-roles.tsx';
import { RoleSettings } from './role-settings.tsx';
import { RoleUsers } from './role-users.tsx';
import { texts as roleTexts } from './texts.ts';

/** The properties of each part of the page. */
export interface RoleSectionProps {
  readonly realm: string;
  readonly role: FullRole;
  readonly tag: string | undefined;
  readonly canManage: boolean;
  /** The internal ID of its client; undefined for a role of the realm. */
  readonly client: string | undefined;
}

export default function RolePage({ realm, id, client }: { realm: string; id: string; client?: string }) {
  const texts = useTexts(roleTexts);
  const query = useQuery(oneRole(realm, id));
  const mayManage = useRights(realm)(client === undefined ? 'manage-realm' : 'manage-clients');
  const owner = useQuery({ ...oneClient(realm, client ?? ''), enabled: client !== undefined }).data?.body;
  const list = rolesHref(realm, client);
  const back = (
    <Link href={list}>{client === undefined ? texts.back : texts.backToClient(owner?.clientId ?? client)}</Link>
  );
  return (
    <Page title={query.data?.body.name ?? id} lead={back}>
      <QueryResult query={query}>
        {({ body: role, tag }) => {
          const isProtected =
            client === undefined ? isProtectedRole(realm, role) : isProtectedClient(realm, owner?.clientId);
          const canManage = mayManage && !isProtected && (client === undefined || owner?.access.manage === true);
          const props = { realm, role, tag, canManage, client };
          const kept = client === undefined ? texts.kept : texts.keptOfClient;
          const readOnly = client === undefined ? texts.readOnly : texts.readOnlyOfClient;
          return (
            <>
              <div className="page-line">
                {role.composite && <Badge tone="neutral">{texts.composite}</Badge>}
                {canManage && (
                  <RemoveButton
                    name={role.name}
                    texts={texts}
                    list={list}
                    keys={{ one: roleKey(realm, role.id), lists: [...rolesKey(realm), 'list'] }}
                    onRemove={() => removeRole(realm, role.id, tag)}
                  />
                )}
              </div>
              {!canManage && <p className="notice">{isProtected ? kept : readOnly}</p>}
              <Facts facts={[[texts.id, <code key="id">{role.id}</code>]]} />
              <RoleSettings {...props} />
              <ContainedRoles {...props} />
              <RoleUsers {...props} />
            </>
          );
        }}
      </QueryResult>
    </Page>
  );
}

/** Administration rights are derived from these roles, so the host rejects changes of them. */
function isProtectedRole(realm: string, { name }: FullRole): boolean {
  return realm === 'master' && (name === 'admin' || name === 'create-realm');
}
