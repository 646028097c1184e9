import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useMessages } from '../messages/language.tsx';
import { PaletteButton } from '../palette/palette-button.tsx';
import { SessionEnded } from '../session/session-ended.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Breadcrumb } from './breadcrumb.tsx';
import { SideBar } from './side-bar.tsx';

const SIDE_BAR = 'side-bar';

/** What stands around every page. */
export function Frame({ children }: { children: ReactNode }) {
  const { skip, frame } = useMessages();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="frame" data-menu={isOpen ? 'open' : 'closed'}>
      <a className="skip" href="#main">
        {skip}
      </a>
      <header className="top">
        <button
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
      <SideBar id={SIDE_BAR} onGone={() => setOpen(false)} />
      <main id="main" tabIndex={-1}>
        <SessionEnded />
        {children}
      </main>
    </div>
  );
}
