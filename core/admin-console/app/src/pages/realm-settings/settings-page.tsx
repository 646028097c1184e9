import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { hasKeycloakConsole, keycloakConsoleUrl } from '../../api/keycloak-console.ts';
import { type RealmSettings, realmSettings } from '../../api/realm-settings.ts';
import { useRights } from '../../api/rights.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { session } from '../../session/session.ts';
import { DriftNotice } from './drift-notice.tsx';
import { texts as settingsTexts } from './texts.ts';

const SECTIONS = ['general', 'login', 'email', 'events', 'security', 'sessions', 'tokens'] as const;

/** The properties of each section. */
export interface SettingsSectionProps {
  readonly name: string;
  readonly realm: RealmSettings;
  readonly tag: string | undefined;
  readonly canManage: boolean;
}

/** One section of a realm's settings, with links to the others. */
export function SettingsPage(props: {
  realm: string;
  section: (typeof SECTIONS)[number];
  children: (props: SettingsSectionProps) => ReactNode;
}) {
  const { realm: name, section, children } = props;
  const texts = useTexts(settingsTexts);
  const query = useQuery(realmSettings(name));
  const canManage = useRights(name)('manage-realm');
  const basePath = `/realms/${encodeSegment(name)}/settings`;
  return (
    <Page title={texts.title(name)} lead={<OtherSettings name={name} />}>
      <nav className="tabs" aria-label={texts.sections}>
        {SECTIONS.map((one) => (
          <Link
            key={one}
            href={one === 'general' ? basePath : `${basePath}/${one}`}
            aria-current={one === section ? 'page' : undefined}
          >
            {texts.section[one]}
          </Link>
        ))}
      </nav>
      <QueryResult query={query}>
        {({ body: realm, tag }) =>
          'sslRequired' in realm ? (
            <>
              <DriftNotice realm={name} />
              {!canManage && <p className="notice">{texts.readOnly}</p>}
              {children({ name, realm, tag, canManage })}
            </>
          ) : (
            <p className="notice">{texts.hidden}</p>
          )
        }
      </QueryResult>
    </Page>
  );
}

/** A link to the settings that this admin console lacks. */
function OtherSettings({ name }: { name: string }) {
  const texts = useTexts(settingsTexts);
  const { data } = useQuery(hasKeycloakConsole(session.realm));
  if (data !== true) return null;
  return (
    <>
      {texts.others}{' '}
      <a href={`${keycloakConsoleUrl(session.realm).href}#/${encodeSegment(name)}`} target="_blank" rel="noreferrer">
        {texts.console}
      </a>
    </>
  );
}
