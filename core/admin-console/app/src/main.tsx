import { createRoot } from 'react-dom/client';
import { AdminConsole } from './admin-console.tsx';
import { applyTheme, storedTheme } from './frame/theme.ts';
import { LanguageProvider, messagesIn, wantedLanguage } from './messages/language.tsx';
import { HandedOverPage } from './session/handed-over-page.tsx';
import { type Start, session } from './session/session.ts';
import { SignInPage } from './session/sign-in-page.tsx';

applyTheme(storedTheme());
const language = wantedLanguage();
const [start, messages] = await Promise.all([session.start(), messagesIn(language)]);
const root = document.getElementById('admin-console');
if (root !== null && start.state !== 'leaving') {
  createRoot(root).render(
    <LanguageProvider language={language} messages={messages}>
      <StartPage start={start} />
    </LanguageProvider>,
  );
}

function StartPage({ start: { state, ...rest } }: { start: Start }) {
  if (state === 'signed out') return <SignInPage start={{ state, ...rest }} />;
  return state === 'handed over' ? <HandedOverPage /> : <AdminConsole />;
}
