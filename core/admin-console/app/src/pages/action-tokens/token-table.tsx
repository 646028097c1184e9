import { Link } from 'wouter';
import { type ListedToken, type TokenType, tokenHref } from '../../api/action-tokens.ts';
import { useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from './texts.ts';

export function TokenTable(props: { realm: string; tokens: readonly ListedToken[]; types: readonly TokenType[] }) {
  const strings = useTexts(texts);
  const { realm, tokens, types } = props;
  const columns: readonly Column<ListedToken>[] = [
    {
      title: strings.user,
      show: ({ userId, username, id }) => <Link href={tokenHref(realm, userId, id)}>{username}</Link>,
    },
    { title: strings.type, show: ({ type }) => typeName(type, types) },
    { title: strings.client, isMinor: true, show: ({ clientId }) => clientId },
    { title: strings.issued, show: ({ issuedAt }) => <Time at={issuedAt} /> },
    { title: strings.expires, isMinor: true, show: ({ expiresAt }) => <Time at={expiresAt} /> },
  ];
  return (
    <div className="tokens">
      <DataTable caption={strings.caption} columns={columns} rows={tokens} keyOf={({ id }) => id} />
    </div>
  );
}

/** The name that its handler declares. */
export function typeName(id: string, types: readonly TokenType[]): string {
  return types.find((type) => type.id === id)?.displayName ?? id;
}
