import { useTexts } from '../../messages/language.tsx';
import { fieldsOf, pickMembers, type Section } from './section.ts';
import { SectionForm } from './section-form.tsx';
import { texts as sessionsTexts } from './sessions-texts.ts';
import { SettingsPage } from './settings-page.tsx';
import { texts as settingsTexts } from './texts.ts';

const SSO = [
  ...(['ssoSessionIdleTimeout', 'ssoSessionMaxLifespan'] as const),
  ...(['ssoSessionIdleTimeoutRememberMe', 'ssoSessionMaxLifespanRememberMe'] as const),
] as const;
const CLIENT = ['clientSessionIdleTimeout', 'clientSessionMaxLifespan'] as const;
const LOGIN = ['accessCodeLifespanLogin'] as const;
const readValues = pickMembers([
  ...SSO,
  ...CLIENT,
  ...(['offlineSessionIdleTimeout', 'offlineSessionMaxLifespanEnabled', 'offlineSessionMaxLifespan'] as const),
  ...LOGIN,
]);
type Values = ReturnType<typeof readValues>;

export default function SessionsSettingsPage({ realm }: { realm: string }) {
  const { sso, client, offline, login, ...texts } = useTexts(sessionsTexts);
  const section: Section<Values> = {
    title: useTexts(settingsTexts).section.sessions,
    ...texts,
    read: readValues,
    toChange: (changes) => changes,
    groups: ({ offlineSessionMaxLifespanEnabled: isLimited }) => [
      { title: sso, fields: fieldsOf('duration', ...SSO) },
      { title: client, fields: fieldsOf('duration', ...CLIENT) },
      {
        title: offline,
        fields: [
          { kind: 'duration', name: 'offlineSessionIdleTimeout' },
          { kind: 'check', name: 'offlineSessionMaxLifespanEnabled' },
          ...(isLimited ? fieldsOf<Values>('duration', 'offlineSessionMaxLifespan') : []),
        ],
      },
      { title: login, fields: fieldsOf('duration', ...LOGIN) },
    ],
  };
  return (
    <SettingsPage realm={realm} section="sessions">
      {(props) => <SectionForm settings={props} section={section} />}
    </SettingsPage>
  );
}
