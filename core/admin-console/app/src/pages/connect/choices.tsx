import { Link } from 'wouter';

interface Choice {
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  readonly to: string;
}

/** Cards of which one can be chosen: each is a link to the next step. */
export function Choices(props: { title: string; choices: readonly Choice[]; isDense?: boolean }) {
  const { title, choices, isDense = false } = props;
  return (
    <section>
      <h2>{title}</h2>
      <ul className={isDense ? 'choice-cards choice-cards-dense' : 'choice-cards'}>
        {choices.map(({ id, title: name, lead, to }) => (
          <li key={id}>
            <Link href={to}>
              <strong>{name}</strong>
              <span>{lead}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
