import { encodeSegment } from '../address.ts';
import type { Language } from '../messages/language.tsx';
import { texts as email } from '../pages/realm-settings/email-texts.ts';
import { texts as events } from '../pages/realm-settings/events-texts.ts';
import { texts as general } from '../pages/realm-settings/general-texts.ts';
import { texts as login } from '../pages/realm-settings/login-texts.ts';
import { texts as security } from '../pages/realm-settings/security-texts.ts';
import { texts as sessions } from '../pages/realm-settings/sessions-texts.ts';
import { texts as sections } from '../pages/realm-settings/texts.ts';
import { texts as tokens } from '../pages/realm-settings/tokens-texts.ts';

const SECTIONS = { general, login, email, events, security, sessions, tokens };

export interface FoundSetting {
  readonly href: string;
  readonly label: string;
  /** The title of its section. */
  readonly section: string;
}

/** The settings of a realm whose label contains the text. @param typed in lower case */
export function findSettings(realm: string, typed: string, language: Language): readonly FoundSetting[] {
  const basePath = `/realms/${encodeSegment(realm)}/settings`;
  const names = Object.keys(SECTIONS) as (keyof typeof SECTIONS)[];
  return names.flatMap((name) => {
    const labels: Readonly<Record<string, string>> = SECTIONS[name][language].labels;
    return Object.entries(labels)
      .filter(([member, label]) => label.toLowerCase().includes(typed) || member.toLowerCase().includes(typed))
      .map(([member, label]) => ({
        href: `${name === 'general' ? basePath : `${basePath}/${name}`}?setting=${member}`,
        label,
        section: sections[language].section[name],
      }));
  });
}
