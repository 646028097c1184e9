import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { en, type Messages } from './en.ts';

export type Language = 'en' | 'de';

const KEY = 'keyhost.desk.language';

interface Spoken {
  readonly language: Language;
  readonly messages: Messages;
  readonly choose: (language: Language) => void;
}

const Context = createContext<Spoken>({ language: 'en', messages: en, choose: () => undefined });

export function wantedLanguage(): Language {
  const chosen = localStorage.getItem(KEY) ?? navigator.language.slice(0, 2);
  return chosen === 'de' ? 'de' : 'en';
}

/** German is loaded on demand. */
export async function messagesIn(language: Language): Promise<Messages> {
  return language === 'de' ? (await import('./de.ts')).de : en;
}

export function LanguageProvider(props: { language: Language; messages: Messages; children: ReactNode }) {
  const [{ language, messages }, setSpoken] = useState({ language: props.language, messages: props.messages });
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choose = (wanted: Language) => {
    localStorage.setItem(KEY, wanted);
    void messagesIn(wanted).then((found) => setSpoken({ language: wanted, messages: found }));
  };
  return <Context value={{ language, messages, choose }}>{props.children}</Context>;
}

export const useLanguage = () => useContext(Context);
export const useMessages = () => useContext(Context).messages;

/** The texts of one page, which are in its folder and loaded with it. */
export function useTexts<T>(texts: Readonly<Record<Language, T>>): T {
  return texts[useContext(Context).language];
}
