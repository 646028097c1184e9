import { useQuery } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { hasKeycloakConsole, INSTALL_CONSOLE, keycloakConsoleUrl } from '../api/keycloak-console.ts';
import { useMessages } from '../messages/language.tsx';
import { session } from '../session/session.ts';

/**
 * A link to Keycloak's own admin console at the shown realm. If it is not installed, admins of the host see how to
 * install it.
 */
export function ConsoleLink({ shown }: { shown: string }) {
  const { frame } = useMessages();
  const { data } = useQuery(hasKeycloakConsole(session.realm));
  if (data === undefined || (!data && session.realm !== 'master')) return null;
  return (
    <section className="side-group side-console">
      <h2>{frame.keycloak}</h2>
      {data ? (
        <a href={`${keycloakConsoleUrl(session.realm).href}#/${encodeSegment(shown)}`} target="_blank" rel="noreferrer">
          {frame.keycloakConsole}
        </a>
      ) : (
        <p>
          {frame.keycloakAbsent} <code>{INSTALL_CONSOLE}</code>
        </p>
      )}
    </section>
  );
}
