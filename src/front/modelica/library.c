/* library.c -- the few names of the Modelica Standard Library that are plain names
 * here, because models use them: constants, mathematical functions, SI types.
 *
 * Constants: CODATA values as the library 4.0 gives them [MSL40].
 */
#include "front/modelica/lower.h"

#include <float.h>
#include <string.h>

/* clang-format off */
static const struct {
  const char *name;
  double      value;
} constants[] = {
  {"pi", 3.14159265358979323846}, {"e", 2.71828182845904523536},
  {"D2R", 0.01745329251994329577}, {"R2D", 57.2957795130823208768},
  {"gamma", 0.57721566490153286061},
  {"eps", DBL_EPSILON}, {"small", 1e-60}, {"inf", 1e60},
  {"c", 299792458}, {"g_n", 9.80665}, {"G", 6.67430e-11}, {"q", 1.602176634e-19},
  {"h", 6.62607015e-34}, {"k", 1.380649e-23}, {"R", 8.31446261815324},
  {"N_A", 6.02214076e23}, {"F", 96485.3321233100184}, {"sigma", 5.670374419e-8},
  {"mu_0", 1.25663706212e-6}, {"epsilon_0", 8.8541878128e-12}, {"T_zero", -273.15},
};

/* types of Modelica.Units.SI (SIunits before 4.0) */
static const struct {
  const char *name, *unit;
} units[] = {
  {"Acceleration", "m/s2"}, {"AmountOfSubstance", "mol"}, {"Angle", "rad"},
  {"AngularAcceleration", "rad/s2"}, {"AngularFrequency", "rad/s"},
  {"AngularMomentum", "kg.m2/s"}, {"AngularVelocity", "rad/s"}, {"Area", "m2"},
  {"Capacitance", "F"}, {"CoefficientOfFriction", "1"},
  {"CoefficientOfHeatTransfer", "W/(m2.K)"}, {"Concentration", "mol/m3"},
  {"Conductance", "S"}, {"Current", "A"}, {"CurrentDensity", "A/m2"},
  {"Damping", "1/s"}, {"DampingCoefficient", "s-1"}, {"Density", "kg/m3"},
  {"Diameter", "m"}, {"DimensionlessRatio", "1"}, {"Distance", "m"}, {"Duration", "s"},
  {"DynamicViscosity", "Pa.s"}, {"Efficiency", "1"}, {"ElectricCharge", "C"},
  {"ElectricCurrent", "A"}, {"ElectricFieldStrength", "V/m"},
  {"ElectricPotential", "V"}, {"Energy", "J"}, {"EnergyFlowRate", "W"},
  {"Enthalpy", "J"}, {"EnthalpyFlowRate", "W"}, {"Entropy", "J/K"}, {"Force", "N"},
  {"Frequency", "Hz"}, {"Heat", "J"}, {"HeatCapacity", "J/K"}, {"HeatFlowRate", "W"},
  {"HeatFlux", "W/m2"}, {"Height", "m"}, {"Impedance", "Ohm"}, {"Impulse", "N.s"},
  {"Inductance", "H"}, {"Inertia", "kg.m2"}, {"InternalEnergy", "J"},
  {"KinematicViscosity", "m2/s"}, {"KineticEnergy", "J"}, {"Length", "m"},
  {"LinearDensity", "kg/m"}, {"LinearTemperatureCoefficient", "1/K"},
  {"MagneticFlux", "Wb"}, {"MagneticFluxDensity", "T"}, {"Mass", "kg"},
  {"MassConcentration", "kg/m3"}, {"MassFlowRate", "kg/s"}, {"MassFraction", "1"},
  {"MolarFlowRate", "mol/s"}, {"MolarMass", "kg/mol"}, {"MoleFraction", "1"},
  {"MolarHeatCapacity", "J/(mol.K)"}, {"Moment", "N.m"}, {"MomentOfForce", "N.m"},
  {"MomentOfInertia", "kg.m2"}, {"Momentum", "kg.m/s"}, {"PathLength", "m"},
  {"Period", "s"}, {"PhaseAngle", "rad"}, {"PhaseDifference", "rad"},
  {"Position", "m"}, {"PotentialDifference", "V"}, {"PotentialEnergy", "J"},
  {"Power", "W"}, {"PowerFactor", "1"}, {"Pressure", "Pa"}, {"AbsolutePressure", "Pa"},
  {"PressureDifference", "Pa"}, {"Radius", "m"}, {"Rate", "1/s"}, {"Reactance", "Ohm"},
  {"Resistance", "Ohm"}, {"Resistivity", "Ohm.m"}, {"RotationalDampingConstant", "N.m.s/rad"},
  {"RotationalSpringConstant", "N.m/rad"}, {"SpecificEnergy", "J/kg"},
  {"SpecificEnthalpy", "J/kg"}, {"SpecificEntropy", "J/(kg.K)"},
  {"SpecificHeatCapacity", "J/(kg.K)"}, {"SpecificVolume", "m3/kg"}, {"Stress", "Pa"},
  {"SurfaceTension", "N/m"}, {"Temp_C", "degC"}, {"Temp_K", "K"}, {"Temperature", "K"},
  {"TemperatureDifference", "K"}, {"ThermalConductance", "W/K"},
  {"ThermalConductivity", "W/(m.K)"}, {"ThermalResistance", "K/W"},
  {"ThermodynamicTemperature", "K"}, {"Thickness", "m"}, {"Time", "s"},
  {"Torque", "N.m"},
  {"TranslationalDampingConstant", "N.s/m"}, {"TranslationalSpringConstant", "N/m"},
  {"Velocity", "m/s"}, {"Voltage", "V"}, {"Volume", "m3"}, {"VolumeFlowRate", "m3/s"},
  {"VolumeFraction", "1"}, {"Wavelength", "m"}, {"Weight", "N"}, {"Work", "J"},
  {"YoungModulus", "Pa"},
};

static const char *const functions[] = {
  "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp",
  "log", "log10",
};
/* clang-format on */

/* what follows `prefix` in path, NULL if it does not begin so or goes deeper */
static const char *below(const char *path, const char *prefix)
{
  size_t n = strlen(prefix);

  if (strncmp(path, prefix, n) != 0 || strchr(path + n, '.'))
    return NULL;
  return path + n;
}

int brink__lo_library_constant(const char *path, double *value, int *is_integer)
{
  const char *name = below(path, "Modelica.Constants.");

  *is_integer = 0;
  if (!name)
    return 0;
  if (strcmp(name, "Integer_inf") == 0) {
    *is_integer = 1;
    *value = 2147483647;
    return 1;
  }
  for (size_t i = 0; i < BRINK__COUNT(constants); i++)
    if (strcmp(name, constants[i].name) == 0) {
      *value = constants[i].value;
      return 1;
    }
  return 0;
}

static const char *si_name(const char *path)
{
  const char *name = below(path, "Modelica.Units.SI.");

  return name ? name : below(path, "Modelica.SIunits.");
}

const char *brink__lo_library_unit(const char *path, mo_base *base)
{
  const char *name = si_name(path);

  *base = MO_V_REAL;
  for (size_t i = 0; name && i < BRINK__COUNT(units); i++)
    if (strcmp(name, units[i].name) == 0)
      return units[i].unit;
  return NULL;
}

const char *brink__lo_library_function(const char *path)
{
  const char *name = below(path, "Modelica.Math.");

  for (size_t i = 0; name && i < BRINK__COUNT(functions); i++)
    if (strcmp(name, functions[i]) == 0)
      return functions[i];
  return NULL;
}

const char *brink__lo_library_nearest(const char *path)
{
  const char *name = si_name(path), *best = NULL;
  int distance = MO_FAR;

  for (size_t i = 0; name && i < BRINK__COUNT(units); i++) {
    int d = brink__lo_far(name, units[i].name);
    if (d < distance) {
      distance = d;
      best = units[i].name;
    }
  }
  name = below(path, "Modelica.Constants.");
  for (size_t i = 0; name && i < BRINK__COUNT(constants); i++) {
    int d = brink__lo_far(name, constants[i].name);
    if (d < distance) {
      distance = d;
      best = constants[i].name;
    }
  }
  return best;
}
