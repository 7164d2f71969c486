/** Starts the Chromium that pages are measured and recorded with. */
import { chromium } from 'playwright-core';

export const startBrowser = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
