import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { hasKeycloakConsole, keycloakConsoleUrl } from '../../api/keycloak-console.ts';
import { fileHref } from '../../api/realm-files.ts';
import { useTexts } from '../../messages/language.tsx';
import { session } from '../../session/session.ts';
import type { PlacedSpi } from '../providers/texts.ts';
import { texts } from './texts.ts';

/** Sections of Keycloak's console for what this one has no page for. */
const CONSOLE_SECTIONS: Readonly<Partial<Record<PlacedSpi, string>>> = {
  authenticator: 'authentication',
  'form-action': 'authentication',
  'client-policy-condition': 'realm-settings/client-policies',
  'client-policy-executor': 'realm-settings/client-policies',
  'client-registration-policy': 'clients/client-registration',
  'password-policy': 'authentication/policies',
  'password-hashing': 'authentication/policies',
  theme: 'realm-settings/themes',
  validator: 'realm-settings/user-profile',
};

/** Explains how the realm enables a provider that has no switch, with a link to the place. */
export function Placement({ realm, spi }: { realm: string; spi: PlacedSpi }) {
  const { placement, changeIn, clients, clientScopes, keys, or } = useTexts(texts);
  const basePath = `/realms/${encodeSegment(realm)}`;
  const section = CONSOLE_SECTIONS[spi];
  return (
    <p>
      {placement[spi]} {changeIn}{' '}
      {spi === 'keys' ? (
        <Link href={`${basePath}/keys`}>{keys}</Link>
      ) : section === undefined ? (
        <>
          <Link href={`${basePath}/clients`}>{clients}</Link>
          {spi === 'protocol-mapper' && (
            <>
              {' '}
              {or} <Link href={`${basePath}/client-scopes`}>{clientScopes}</Link>
            </>
          )}
        </>
      ) : (
        <ConsoleOrFile realm={realm} section={section} />
      )}
      .
    </p>
  );
}

/** Keycloak's console if it is installed. Without it, the realm file is the place, for admins of the host. */
function ConsoleOrFile({ realm, section }: { realm: string; section: string }) {
  const strings = useTexts(texts);
  const { data: hasConsole } = useQuery(hasKeycloakConsole(session.realm));
  if (hasConsole === true) {
    const href = `${keycloakConsoleUrl(session.realm).href}#/${encodeSegment(realm)}/${section}`;
    return (
      <a href={href} target="_blank" rel="noreferrer">
        {strings.console}
      </a>
    );
  }
  if (session.realm !== 'master') return strings.file;
  return <Link href={fileHref({ realm, path: '' })}>{strings.file}</Link>;
}
