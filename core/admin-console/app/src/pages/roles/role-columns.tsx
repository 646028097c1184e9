import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import type { ListedRole } from '../../api/roles.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { texts as rolesTexts } from './texts.ts';

/** The path of the list of roles of the realm, or of a client. */
export function rolesHref(realm: string, client?: string): string {
  const basePath = `/realms/${encodeSegment(realm)}`;
  return client === undefined ? `${basePath}/roles` : `${basePath}/clients/${encodeSegment(client)}/roles`;
}

/** The columns of every list of roles. @param client the internal ID of the client that owns the roles */
export function useRoleColumns(realm: string, client?: string): readonly Column<ListedRole>[] {
  const texts = useTexts(rolesTexts);
  const { none } = useMessages();
  return [
    {
      title: texts.name,
      show: ({ id, name }) => <Link href={`${rolesHref(realm, client)}/${encodeSegment(id)}`}>{name}</Link>,
    },
    {
      title: texts.description,
      isMinor: true,
      // A text such as `${name}` is a key of Keycloak's own messages.
      show: ({ description = '' }) => (description.startsWith('${') ? none : description || none),
    },
    {
      title: texts.contains,
      show: ({ composite }) => (composite ? <Badge tone="neutral">{texts.composite}</Badge> : none),
    },
  ];
}
