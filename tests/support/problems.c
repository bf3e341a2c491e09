/* problems.c -- see problems.h */
#include "problems.h"

#include <math.h>

/* ----------------------------------------------------------- spiral ---- */

/* r' = A r (1 - r^2), phi' = W + B cos t, in Cartesian form; z' = -2 t z^2 */
static const double A = 0.25, W = 1.7, B = 0.85, R0 = 0.62, PHI0 = 0.81, Z = 1.9;
static const double T0 = 0.37;

static int spiral_rhs(double t, const double *y, double *f, void *user)
{
  double grow = A * (1 - y[0] * y[0] - y[1] * y[1]), turn = W + B * cos(t);

  (void)user;
  f[0] = grow * y[0] - turn * y[1];
  f[1] = grow * y[1] + turn * y[0];
  f[2] = -2 * t * y[2] * y[2];
  return 0;
}

static void spiral_exact(double t, double *y)
{
  double r = 1 / sqrt(1 + (1 / (R0 * R0) - 1) * exp(-2 * A * (t - T0)));
  double phi = PHI0 + W * (t - T0) + B * (sin(t) - sin(T0));

  y[0] = r * cos(phi);
  y[1] = r * sin(phi);
  y[2] = 1 / (t * t + Z);
}

const problem problem_spiral = {"spiral", 3, 0.37, 3.12, spiral_rhs, spiral_exact};

/* ----------------------------------------------------------- kepler ---- */

static const double ECC = 0.3;

static int kepler_rhs(double t, const double *y, double *f, void *user)
{
  double r2 = y[0] * y[0] + y[1] * y[1], r3 = r2 * sqrt(r2);

  (void)t;
  (void)user;
  f[0] = y[2];
  f[1] = y[3];
  f[2] = -y[0] / r3;
  f[3] = -y[1] / r3;
  return 0;
}

static void kepler_exact(double t, double *y)
{
  double u = t, b = sqrt(1 - ECC * ECC);

  for (int i = 0; i < 40; i++) /* u - e sin u = t */
    u -= (u - ECC * sin(u) - t) / (1 - ECC * cos(u));
  double du = 1 / (1 - ECC * cos(u));
  y[0] = cos(u) - ECC;
  y[1] = b * sin(u);
  y[2] = -sin(u) * du;
  y[3] = b * cos(u) * du;
}

const problem problem_kepler = {"kepler", 4, 0.37, 4.61, kepler_rhs, kepler_exact};

/* ----------------------------------------------------------- others ---- */

const double arenstorf_start[4] = {0.994, 0, 0, -2.00158510637908252240537862224};

int arenstorf(double t, const double *y, double *f, void *user)
{
  const double mu = 0.012277471, nu = 1 - mu;
  double p = y[0] + mu, q = y[0] - nu;
  double d1 = p * p + y[1] * y[1], d2 = q * q + y[1] * y[1];

  (void)t;
  (void)user;
  d1 *= sqrt(d1);
  d2 *= sqrt(d2);
  f[0] = y[2];
  f[1] = y[3];
  f[2] = y[0] + 2 * y[3] - nu * p / d1 - mu * q / d2;
  f[3] = y[1] - 2 * y[2] - nu * y[1] / d1 - mu * y[1] / d2;
  return 0;
}

/* clang-format off */
const double pleiades_start[PLEIADES_N] = {
  3, 3, -1, -3, 2, -2, 2,     3, -3, 2, 0, 0, -4, 4,
  0, 0, 0, 0, 0, 1.75, -1.5,  0, 0, 0, -1.25, 1, 0, 0};

const double pleiades_end[PLEIADES_N] = {
  0.3706139143970502, 3.237284092057233, -3.222559032418324, 0.6597091455775310,
  0.3425581707156584, 1.562172101400631, -0.7003092922212495, -3.943437585517392,
  -3.271380973972550, 5.225081843456543, -2.590612434977470, 1.198213693392275,
  -0.2429682344935824, 1.091449240428980, 3.417003806314313, 1.354584501625501,
  -2.590065597810775, 2.025053734714242, -1.155815100160448, -0.8072988170223021,
  0.5952396354208710, -3.741244961234010, 0.3773459685750630, 0.9386858869551073,
  0.3667922227200571, -0.3474046353808490, 2.344915448180937, -1.947020434263292};
/* clang-format on */

int pleiades(double t, const double *y, double *f, void *user)
{
  enum { STARS = PLEIADES_N / 4 };

  (void)t;
  (void)user;
  for (int i = 0; i < 2 * STARS; i++) {
    f[i] = y[2 * STARS + i];
    f[2 * STARS + i] = 0;
  }
  for (int i = 0; i < STARS; i++)
    for (int j = 0; j < i; j++) { /* star k has the mass k + 1 */
      double dx = y[j] - y[i], dy = y[STARS + j] - y[STARS + i];
      double r2 = dx * dx + dy * dy, r3 = r2 * sqrt(r2);
      f[2 * STARS + i] += (j + 1) * dx / r3;
      f[3 * STARS + i] += (j + 1) * dy / r3;
      f[2 * STARS + j] -= (i + 1) * dx / r3;
      f[3 * STARS + j] -= (i + 1) * dy / r3;
    }
  return 0;
}

int van_der_pol(double t, const double *y, double *f, void *user)
{
  double mu = *(const double *)user;

  (void)t;
  f[0] = y[1];
  f[1] = mu * (1 - y[0] * y[0]) * y[1] - y[0];
  return 0;
}
