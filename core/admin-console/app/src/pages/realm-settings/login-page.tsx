import { useTexts } from '../../messages/language.tsx';
import { texts as loginTexts } from './login-texts.ts';
import { fieldsOf, pickMembers, type Section } from './section.ts';
import { SectionForm } from './section-form.tsx';
import { SettingsPage } from './settings-page.tsx';
import { texts as settingsTexts } from './texts.ts';

const SCREEN = ['registrationAllowed', 'resetPasswordAllowed', 'rememberMe'] as const;
const EMAIL = ['registrationEmailAsUsername', 'loginWithEmailAllowed', 'verifyEmail'] as const;
const USER = ['editUsernameAllowed'] as const;
const readValues = pickMembers([...SCREEN, ...EMAIL, 'duplicateEmailsAllowed', ...USER]);
type Values = ReturnType<typeof readValues>;

export default function LoginPage({ realm }: { realm: string }) {
  const { screen, email, user, ...texts } = useTexts(loginTexts);
  const section: Section<Values> = {
    title: useTexts(settingsTexts).section.login,
    ...texts,
    read: readValues,
    toChange: (changes) => changes,
    groups: (value) => [
      { title: screen, fields: fieldsOf('check', ...SCREEN) },
      { title: email, fields: fieldsOf('check', ...EMAIL, ...(isOneToOne(value) ? [] : DUPLICATES)) },
      { title: user, fields: fieldsOf('check', ...USER) },
    ],
  };
  return (
    <SettingsPage realm={realm} section="login">
      {(props) => (
        <SectionForm
          settings={props}
          section={section}
          onSet={(change, set) => {
            const isFirst = change.loginWithEmailAllowed === true || change.registrationEmailAsUsername === true;
            if (isFirst) set({ ...change, duplicateEmailsAllowed: false });
            return isFirst;
          }}
        />
      )}
    </SettingsPage>
  );
}

const DUPLICATES = ['duplicateEmailsAllowed'] as const;

/** True if each email address must belong to one user, since users can sign in with it. */
function isOneToOne({ loginWithEmailAllowed, registrationEmailAsUsername, duplicateEmailsAllowed }: Values): boolean {
  return (loginWithEmailAllowed || registrationEmailAsUsername) && !duplicateEmailsAllowed;
}
