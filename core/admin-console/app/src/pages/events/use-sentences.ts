import type { AdminEvent, UserEvent } from '../../api/events.ts';
import { useClientTitles, useTitlesByClientId, useUserNames } from '../../api/names.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { matchRule } from './sentences/admin-rules.ts';
import { adminSentence } from './sentences/admin-sentence.ts';
import { userSentence } from './sentences/user-sentence.ts';
import { texts } from './texts.ts';
import { useAdminNames } from './use-admin-names.ts';

/** Events of users and clients as sentences. All names of a list are requested together. */
export function useUserSentences(
  realm: string,
  events: readonly UserEvent[],
): { sentenceOf(event: UserEvent): string; userOf(event: UserEvent): string | undefined } {
  const { language } = useLanguage();
  const { builtInClients } = useTexts(texts);
  const users = useUserNames(
    realm,
    events.map(({ userId }) => userId),
  );
  const clients = useTitlesByClientId(
    realm,
    events.flatMap(({ clientId, details }) => [clientId, details?.revoked_client]),
  );
  const titleOf = (clientId: string | undefined) =>
    clientId && (builtInClients[clientId] ?? clients.get(clientId) ?? clientId);
  const userOf = ({ userId, details }: UserEvent) => users.get(userId ?? '') ?? details?.username ?? userId;
  const sentenceOf = (event: UserEvent) => {
    const { clientId, details = {} } = event;
    const { revoked_client: revoked } = details;
    const named = revoked === undefined ? details : { ...details, revoked_client: titleOf(revoked) ?? revoked };
    return userSentence(event, { user: userOf(event), client: titleOf(clientId), details: named }, language);
  };
  return { sentenceOf, userOf };
}

/** Changes by admins as sentences. */
export function useAdminSentences(realm: string, events: readonly AdminEvent[]): (event: AdminEvent) => string {
  const { language } = useLanguage();
  const paths = events.map(({ operationType, resourcePath }) => matchRule(operationType, resourcePath).names);
  const users = useUserNames(
    realm,
    paths.map(({ user }) => user),
  );
  const clients = useClientTitles(
    realm,
    paths.map(({ client }) => client),
  );
  const nameOf = useAdminNames(
    realm,
    events.map(({ authDetails }) => authDetails.userId),
  );
  return (event) =>
    adminSentence(
      event,
      {
        admin: nameOf(event.authDetails.userId)?.name ?? event.authDetails.userId,
        user: (id) => users.get(id),
        client: (id) => clients.get(id),
      },
      language,
    );
}
