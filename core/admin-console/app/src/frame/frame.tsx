import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { useMessages } from '../messages/language.tsx';
import { PaletteButton } from '../palette/palette-button.tsx';
import { SessionEnded } from '../session/session-ended.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Breadcrumb } from './breadcrumb.tsx';
import { SideBar } from './side-bar.tsx';

const SIDE_BAR = 'side-bar';

/** The frame around every page. */
export function Frame({ children }: { children: ReactNode }) {
  const { skip, frame } = useMessages();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const [path] = useLocation();
  const search = useSearch();
  // Close the menu after every navigation.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address triggers it
  useEffect(() => setOpen(false), [path, search]);
  // On a narrow screen the menu is above the page, which may be scrolled down.
  useEffect(() => {
    if (isOpen) scrollTo({ top: 0 });
  }, [isOpen]);
  const closeByKey = ({ key, defaultPrevented }: KeyboardEvent) => {
    if (key !== 'Escape' || defaultPrevented || !isOpen) return;
    setOpen(false);
    button.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles the key for every focused element
    <div className="frame" data-menu={isOpen ? 'open' : 'closed'} onKeyDown={closeByKey}>
      <a className="skip" href="#main">
        {skip}
      </a>
      <header className="top">
        <button
          ref={button}
          type="button"
          className="menu-button"
          aria-expanded={isOpen}
          aria-controls={SIDE_BAR}
          onClick={() => setOpen(!isOpen)}
        >
          {frame.menu}
        </button>
        <Link href="/" className="brand">
          <span className="brand-mark" aria-hidden="true" />
          Keyhost
        </Link>
        <Breadcrumb />
        <PaletteButton />
        <AccountMenu />
      </header>
      <SideBar id={SIDE_BAR} onNavigate={() => setOpen(false)} />
      <main id="main" tabIndex={-1}>
        <SessionEnded />
        {children}
      </main>
    </div>
  );
}
