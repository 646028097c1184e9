import { useState } from 'react';
import { encodeSegment, LOGIN_URL } from '../../address.ts';
import type { RealmSettings } from '../../api/realm-settings.ts';
import { useTexts } from '../../messages/language.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Facts } from '../../parts/facts.tsx';
import { session } from '../../session/session.ts';
import { DeleteRealm } from './delete-realm.tsx';
import { texts as generalTexts } from './general-texts.ts';
import type { Section } from './section.ts';
import { SectionForm } from './section-form.tsx';
import { SettingsPage, type SettingsSectionProps } from './settings-page.tsx';

interface Values {
  readonly displayName: string;
  readonly enabled: boolean;
  readonly sslRequired: string;
}

const readValues = ({ displayName = '', enabled, sslRequired }: RealmSettings): Values => ({
  displayName,
  enabled,
  sslRequired,
});

export default function GeneralPage({ realm }: { realm: string }) {
  return (
    <SettingsPage realm={realm} section="general">
      {(props) => <General {...props} />}
    </SettingsPage>
  );
}

function General(props: SettingsSectionProps) {
  const { name, realm, tag, canManage } = props;
  const { general, ssl, ...texts } = useTexts(generalTexts);
  /** Disables the realm; set while the confirmation is shown. */
  const [onDisable, setOnDisable] = useState<() => void>();
  const section: Section<Values> = {
    title: general,
    labels: texts.labels,
    help: texts.help,
    read: readValues,
    toChange: (changes) => changes,
    groups: () => [
      {
        title: '',
        fields: [
          { kind: 'text', name: 'displayName' },
          { kind: 'choice', name: 'sslRequired', options: Object.entries(ssl) },
          { kind: 'check', name: 'enabled' },
        ],
      },
    ],
  };
  const discovery = new URL(`realms/${encodeSegment(name)}/.well-known/openid-configuration`, LOGIN_URL);
  return (
    <>
      <Facts
        facts={[
          [texts.name, name],
          [texts.id, <code key="id">{realm.id}</code>],
          [
            texts.endpoints,
            <a key="endpoints" href={discovery.href} target="_blank" rel="noreferrer">
              {texts.discovery}
            </a>,
          ],
        ]}
      />
      <SectionForm
        settings={props}
        section={section}
        onSet={(change, set) => {
          if (change.enabled !== false || !realm.enabled) return false;
          setOnDisable(() => () => set(change));
          return true;
        }}
      />
      {canManage && name !== 'master' && <DeleteRealm realm={name} tag={tag} />}
      {onDisable !== undefined && (
        <Confirm
          title={texts.disableOf(name)}
          action={texts.disable}
          isDangerous
          isBusy={false}
          onConfirm={() => {
            onDisable();
            setOnDisable(undefined);
          }}
          onClose={() => setOnDisable(undefined)}
        >
          <p>{texts.disableLead}</p>
          {name === session.realm && <p>{texts.disableOwn}</p>}
        </Confirm>
      )}
    </>
  );
}
