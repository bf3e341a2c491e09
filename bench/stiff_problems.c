/* stiff_problems.c -- see stiff_problems.h */
#include "stiff_problems.h"

#include <math.h>
#include <string.h>

static int robertson(double t, const double *y, double *f, void *user)
{
  (void)t, (void)user;
  f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
  f[2] = 3e7 * y[1] * y[1];
  f[1] = -f[0] - f[2];
  return 0;
}

static void robertson_start(double *y)
{
  y[0] = 1;
  y[1] = y[2] = 0;
}

static int hires(double t, const double *y, double *f, void *user)
{
  (void)t, (void)user;
  f[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
  f[1] = 1.71 * y[0] - 8.75 * y[1];
  f[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
  f[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
  f[4] = -1.745 * y[4] + 0.43 * (y[5] + y[6]);
  f[5] = -280 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
  f[6] = 280 * y[5] * y[7] - 1.81 * y[6];
  f[7] = -f[6];
  return 0;
}

static void hires_start(double *y)
{
  memset(y, 0, 8 * sizeof *y);
  y[0] = 1;
  y[7] = 0.0057;
}

static int van_der_pol(double t, const double *y, double *f, void *user)
{
  (void)t, (void)user;
  f[0] = y[1];
  f[1] = 1000 * (1 - y[0] * y[0]) * y[1] - y[0];
  return 0;
}

static void van_der_pol_start(double *y)
{
  y[0] = 2;
  y[1] = 0;
}

static int orego(double t, const double *y, double *f, void *user)
{
  (void)t, (void)user;
  f[0] = 77.27 * (y[1] + y[0] * (1 - 8.375e-6 * y[0] - y[1]));
  f[1] = (y[2] - (1 + y[0]) * y[1]) / 77.27;
  f[2] = 0.161 * (y[0] - y[2]);
  return 0;
}

static void orego_start(double *y)
{
  y[0] = 1;
  y[1] = 2;
  y[2] = 3;
}

static int pollution(double t, const double *y, double *f, void *user)
{
  const double r[25] = {0.35 * y[0],        26.6 * y[1] * y[3],   1.23e4 * y[4] * y[1],
                        8.6e-4 * y[6],      8.2e-4 * y[6],        1.5e4 * y[6] * y[5],
                        1.3e-4 * y[8],      2.4e4 * y[8] * y[5],  1.65e4 * y[10] * y[1],
                        9e3 * y[10] * y[0], 0.022 * y[12],        1.2e4 * y[9] * y[1],
                        1.88 * y[13],       1.63e4 * y[0] * y[5], 4.8e6 * y[2],
                        3.5e-4 * y[3],      0.0175 * y[3],        1e8 * y[15],
                        4.44e11 * y[15],    1240 * y[16] * y[5],  2.1 * y[18],
                        5.78 * y[18],       0.0474 * y[0] * y[3], 1780 * y[18] * y[0],
                        3.12 * y[19]};

  (void)t, (void)user;
  f[0] = -r[0] - r[9] - r[13] - r[22] - r[23] + r[1] + r[2] + r[8] + r[10] + r[11] +
         r[21] + r[24];
  f[1] = -r[1] - r[2] - r[8] - r[11] + r[0] + r[20];
  f[2] = -r[14] + r[0] + r[16] + r[18] + r[21];
  f[3] = -r[1] - r[15] - r[16] - r[22] + r[14];
  f[4] = -r[2] + r[3] + r[3] + r[5] + r[6] + r[12] + r[19];
  f[5] = -r[5] - r[7] - r[13] - r[19] + r[2] + r[17] + r[17];
  f[6] = -r[3] - r[4] - r[5] + r[12];
  f[7] = r[3] + r[4] + r[5] + r[6];
  f[8] = -r[6] - r[7];
  f[9] = -r[11] + r[6] + r[8];
  f[10] = -r[8] - r[9] + r[7] + r[10];
  f[11] = r[8];
  f[12] = -r[10] + r[9];
  f[13] = -r[12] + r[11];
  f[14] = r[13];
  f[15] = -r[17] - r[18] + r[15];
  f[16] = -r[19];
  f[17] = r[19];
  f[18] = -r[20] - r[21] - r[23] + r[22] + r[24];
  f[19] = -r[24] + r[23];
  return 0;
}

static void pollution_start(double *y)
{
  memset(y, 0, 20 * sizeof *y);
  y[1] = 0.2;
  y[3] = 0.04;
  y[6] = 0.1;
  y[7] = 0.3;
  y[8] = 0.01;
  y[16] = 0.007;
}

/* The Brusselator with diffusion on a square with periodic sides [HW96, IV.10]; u and v
 * of a place one after the other. */
enum { SIDE = 100 };

static int brusselator(double t, const double *y, double *f, void *user)
{
  const double k = 0.1 * SIDE * SIDE;

  (void)user;
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++) {
      int c = 2 * (j * SIDE + i);
      int w = 2 * (j * SIDE + (i + SIDE - 1) % SIDE),
          e = 2 * (j * SIDE + (i + 1) % SIDE);
      int s = 2 * ((j + SIDE - 1) % SIDE * SIDE + i),
          n = 2 * ((j + 1) % SIDE * SIDE + i);
      double u = y[c], v = y[c + 1], X = (i + 1.) / SIDE, Y = (j + 1.) / SIDE;
      double hot = t >= 1.1 && (X - 0.3) * (X - 0.3) + (Y - 0.6) * (Y - 0.6) <= 0.01;
      f[c] =
          1 + u * u * v - 4.4 * u + k * (y[w] + y[e] + y[s] + y[n] - 4 * u) + 5 * hot;
      f[c + 1] =
          3.4 * u - u * u * v + k * (y[w + 1] + y[e + 1] + y[s + 1] + y[n + 1] - 4 * v);
    }
  return 0;
}

static void brusselator_start(double *y)
{
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++) {
      double X = (i + 1.) / SIDE, Y = (j + 1.) / SIDE;
      y[2 * (j * SIDE + i)] = 22 * Y * pow(1 - Y, 1.5);
      y[2 * (j * SIDE + i) + 1] = 27 * X * pow(1 - X, 1.5);
    }
}

const stiff_problem stiff_problems[STIFF_PROBLEMS] = {
    {"Robertson", 3, 1e11, 1e-6, 1e-12, robertson, robertson_start},
    {"HIRES", 8, 321.8122, 1e-6, 1e-9, hires, hires_start},
    {"van der Pol", 2, 2000, 1e-6, 1e-9, van_der_pol, van_der_pol_start},
    {"OREGO", 3, 360, 1e-6, 1e-9, orego, orego_start},
    {"Pollution", 20, 60, 1e-6, 1e-12, pollution, pollution_start},
    {"Brusselator", 2 * SIDE *SIDE, 11.5, 1e-5, 1e-8, brusselator, brusselator_start},
};
