import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Boot, boot } from '../../api/boot.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { texts } from './texts.ts';

interface Branch {
  readonly title: string;
  /** The sum of its leaves; absent if one was created while another was being created. */
  readonly milliseconds?: number;
  readonly leaves: readonly { readonly name: string; readonly milliseconds: number }[];
}

/** The services and providers that the start of the node created, by module and by plugin. Loaded when opened. */
export function BootTree() {
  const strings = useTexts(texts);
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({ ...boot(), enabled: isOpen });
  return (
    <section>
      <h2>{strings.boot}</h2>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{strings.bootLead}</summary>
        {isOpen && (
          <QueryResult query={query}>
            {(bootResult) => (
              <ul className="boot-tree">
                {branchesOf(bootResult).map((branch) => (
                  <BranchItem key={branch.title} branch={branch} />
                ))}
              </ul>
            )}
          </QueryResult>
        )}
      </details>
    </section>
  );
}

function BranchItem({ branch: { title, milliseconds, leaves } }: { branch: Branch }) {
  return (
    <li>
      <Row name={title} {...(milliseconds === undefined ? {} : { milliseconds })} />
      <ul>
        {leaves.map((leaf, index) => (
          // A module may create two services of the same name.
          // biome-ignore lint/suspicious/noArrayIndexKey: the result of a start does not change
          <li key={index}>
            <Row name={leaf.name} milliseconds={leaf.milliseconds} />
          </li>
        ))}
      </ul>
    </li>
  );
}

function Row({ name, milliseconds }: { name: string; milliseconds?: number }) {
  const strings = useTexts(texts);
  const { language } = useLanguage();
  const number = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return (
    <p>
      <code>{name}</code>
      {milliseconds !== undefined && <span>{strings.milliseconds(number.format(milliseconds))}</span>}
    </p>
  );
}

function branchesOf({ services, providers }: Boot): readonly Branch[] {
  const modules = [...new Set(services.map(({ module }) => module))];
  const plugins = [...new Set(providers.map(({ plugin }) => plugin))];
  return [
    ...modules.map((title) => ({ title, leaves: services.filter(({ module }) => module === title) })),
    ...plugins.map((title) => {
      const ownProviders = providers.filter(({ plugin }) => plugin === title);
      const leaves = ownProviders.map(({ spi, id, milliseconds }) => ({ name: `${spi}/${id}`, milliseconds }));
      return { title, leaves, milliseconds: leaves.reduce((sum, leaf) => sum + leaf.milliseconds, 0) };
    }),
  ];
}
