/** The security headers of every response. */

import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { nonceOf } from './static-pages.ts';

/** Sets every directive explicitly: helmet's defaults would upgrade requests to HTTPS and allow inline styles. */
export function securityHeaders(): RequestHandler[] {
  return [
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          'default-src': ["'none'"],
          'script-src': ["'self'"],
          'style-src': ["'self'", (_req, res) => `'nonce-${nonceOf(res as Response)}'`],
          'img-src': ["'self'", 'data:', 'blob:'],
          'font-src': ["'self'"],
          'connect-src': ["'self'"],
          'base-uri': ["'none'"],
          'form-action': ["'none'"],
          'frame-ancestors': ["'none'"],
          'require-trusted-types-for': ["'script'"],
        },
      },
      strictTransportSecurity: false,
      crossOriginEmbedderPolicy: { policy: 'require-corp' },
      crossOriginOpenerPolicy: { policy: 'same-origin' },
      crossOriginResourcePolicy: { policy: 'same-origin' },
      referrerPolicy: { policy: 'no-referrer' },
      xFrameOptions: { action: 'deny' },
    }),
    (_req, res, next) => {
      res.setHeader(
        'Permissions-Policy',
        'camera=(), microphone=(), geolocation=(), usb=(), payment=(), clipboard-read=()',
      );
      next();
    },
  ];
}
