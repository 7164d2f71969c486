/** The tab title: the page, and the number of runs that wait for the user. */
import { useEffect } from 'react';

let page = '';
let waiting = 0;
const write = () => {
  document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${page === '' ? 'Dure' : `${page} · Dure`}`;
};

export function useTitle(title: string): void {
  useEffect(() => {
    page = title;
    write();
  }, [title]);
}

export function useWaiting(count: number): void {
  useEffect(() => {
    waiting = count;
    write();
  }, [count]);
}
