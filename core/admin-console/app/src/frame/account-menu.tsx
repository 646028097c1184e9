import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { who } from '../api/who.ts';
import { type Language, useLanguage } from '../messages/language.tsx';
import { session } from '../session/session.ts';
import { applyTheme, storedTheme, THEMES, type Theme } from './theme.ts';

/** The signed-in user, the colours, the language, and the button to sign out. */
export function AccountMenu() {
  const { messages, language, choose } = useLanguage();
  const { frame, signIn } = messages;
  const [theme, setTheme] = useState(storedTheme);
  const { data } = useQuery(who());
  const queries = useQueryClient();
  const menu = useCloseOnEscape();
  return (
    <details className="account" ref={menu}>
      <summary aria-label={frame.account}>
        <span className="account-name">{data?.displayName ?? '…'}</span>
      </summary>
      <div className="account-panel">
        {data !== undefined && <p>{signIn.as(data.displayName, data.realm)}</p>}
        <label>
          {frame.theme}
          <select
            value={theme}
            onChange={({ target }) => {
              setTheme(target.value as Theme);
              applyTheme(target.value as Theme);
            }}
          >
            {THEMES.map((one) => (
              <option key={one} value={one}>
                {frame.themes[one]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {frame.language}
          <select
            value={language}
            onChange={({ target }) => {
              choose(target.value as Language);
              // The host returns the names of providers in the requested language. Drop cached ones, so that none is
              // shown in the old language.
              queries.removeQueries({ type: 'inactive' });
              void queries.invalidateQueries();
            }}
          >
            <option value="en">English</option>
            <option value="de">Deutsch</option>
          </select>
        </label>
        <button type="button" onClick={() => session.signOut()}>
          {signIn.out}
        </button>
      </div>
    </details>
  );
}

/** Closes the menu on Escape, which also restores the focus, and on a click outside of it. */
function useCloseOnEscape() {
  const ref = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || ref.current?.open !== true) return;
      ref.current.open = false;
      ref.current.querySelector('summary')?.focus();
    };
    const onPointer = ({ target }: PointerEvent) => {
      if (ref.current?.open === true && target instanceof Node && !ref.current.contains(target))
        ref.current.open = false;
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onPointer);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onPointer);
    };
  }, []);
  return ref;
}
