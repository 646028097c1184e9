import { Link, useLocation } from 'wouter';
import { useRights } from '../api/rights.ts';
import { useIsHostAdmin } from '../api/who.ts';
import { useMessages } from '../messages/language.tsx';
import { ConsoleLink } from './console-link.tsx';
import { hostPages, isAt, type PageLink, realmPageGroups } from './navigation.ts';
import { PluginLinks } from './plugin-links.tsx';
import { useShownRealm } from './shown-realm.ts';

/** The pages that the user may open: those of the host, then those of the realm in groups. */
export function SideBar({ id, onNavigate }: { id: string; onNavigate: () => void }) {
  const messages = useMessages();
  const realm = useShownRealm();
  const can = useRights(realm);
  const groups = realmPageGroups(realm)
    .map(({ name, links }) => ({ name, links: links.filter(({ mayOpen }) => mayOpen(can)) }))
    .filter(({ links }) => links.length > 0);
  return (
    <nav className="side-bar" id={id} aria-label={messages.frame.pages}>
      <Group title={messages.frame.host} links={hostPages(useIsHostAdmin())} onNavigate={onNavigate} />
      <p className="side-realm">
        {messages.frame.realm} <strong>{realm}</strong>
      </p>
      {groups.map(({ name, links }) => (
        <Group key={name} title={messages.frame.groups[name]} links={links} onNavigate={onNavigate} />
      ))}
      <PluginLinks realm={realm} onNavigate={onNavigate} />
      <ConsoleLink shown={realm} />
    </nav>
  );
}

function Group(props: { title: string; links: readonly PageLink[]; onNavigate: () => void }) {
  const { pages } = useMessages();
  const [path] = useLocation();
  return (
    <section className="side-group">
      <h2>{props.title}</h2>
      <ul>
        {props.links.map(({ name, href }) => (
          <li key={name}>
            <Link href={href} aria-current={isAt(path, href) ? 'page' : undefined} onClick={props.onNavigate}>
              {pages[name]}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
