/** Renders the column headings of a table. */
interface Column {
  readonly name: string;
  readonly className?: string;
}

export const TableHead = ({ of }: { of: readonly Column[] }) => (
  <thead>
    <tr>
      {of.map(({ name, className }) => (
        <th key={name} scope="col" className={className}>
          {name}
        </th>
      ))}
    </tr>
  </thead>
);
